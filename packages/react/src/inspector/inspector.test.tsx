import type { Agent, AgentEvent } from '@offthread/core'
import { createReplay } from '@offthread/core/log'
import { say, scriptedModel, uses } from '@offthread/core/testing'
import { act, cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react'
import { Profiler, StrictMode, useState } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import {
  answer,
  createPlayedAgent,
  doing,
  shownSoon,
  streaming,
  talked,
  textDelta,
  textStart,
} from '../agents.fixtures.ts'
import { keepEvents } from '../event-record.ts'
import { goThrough } from '../shared-replay.ts'
import { useReplay } from '../use-replay.ts'
import { answersIn } from './answers.ts'
import { EventDetail } from './event-detail.tsx'
import { createLines } from './event-lines.ts'
import { EventList } from './event-list.tsx'
import { readQuery } from './event-query.ts'
import { messageToFork } from './message-to-fork.ts'
import { printJson } from './print-json.ts'
import { ReplayBar } from './replay-bar.tsx'
import { UsageTable } from './usage-table.tsx'
import { useEventCounts } from './use-event-counts.ts'
import { useEventLines } from './use-event-lines.ts'

afterEach(cleanup)

test('lists what happened, folds what streams, and finds what is asked for', async () => {
  const { agent, stream } = await talked()
  const page = render(<Log agent={agent} />, { wrapper: StrictMode })
  await doing(() => void agent.prompt('More?'))
  await doing(() => stream(textStart, ...Array.from({ length: 50 }, () => textDelta('four'))))
  await shownSoon()

  expect(screen.getByText('text ×50, 200 characters')).toBeTruthy()
  expect(screen.getByText('succeeded after 0 ms')).toBeTruthy()
  page.rerender(<Log agent={agent} query="type:tool call:call_1" />)
  expect(screen.getAllByRole('option').map((row) => row.dataset['type'])).toEqual([
    'tool_execution_start',
    'tool_prepared',
    'tool_dispatched',
    'tool_execution_end',
  ])
  page.rerender(<Log agent={agent} query="tool:wor type:end" />)
  expect(screen.getAllByRole('option')).toHaveLength(1)
  page.rerender(<Log agent={agent} query="worked tool_message" />)
  expect(screen.queryAllByRole('option')).toHaveLength(0)
  agent.dispose()
})

test('a long log is read part by part, also for another filter', async () => {
  const { agent, stream } = await talked()
  // To find a word in an event, it is written once.
  const written = vi.spyOn(JSON, 'stringify')
  const perRender: number[] = []
  const shown = (query: string) => (
    <Profiler
      id="log"
      onRender={() => {
        perRender.push(written.mock.calls.length)
        written.mockClear()
      }}
    >
      <Log agent={agent} query={query} />
    </Profiler>
  )
  const page = render(shown(''))
  await doing(() => void agent.prompt('More?'))
  await doing(() => stream(textStart, ...Array.from({ length: 9000 }, () => textDelta('four'))))
  await shownSoon()
  written.mockClear()
  perRender.length = 0

  page.rerender(shown('four'))
  await screen.findByText(/^text ×9,?000/, {}, { timeout: 10_000 })

  expect(perRender.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(9000)
  expect(Math.max(...perRender)).toBeLessThanOrEqual(2000)
  written.mockRestore()
  agent.dispose()
})

test('a folded line counts each event once, also when it grows', () => {
  const log = [...Array.from({ length: 3 }, (_, index) => delta(index)), fact(3)]
  const lines = createLines(log, readQuery(''))
  expect(lines.readTo(2).list).toMatchObject([{ first: 1, last: 2, chars: 4 }])
  const read = lines.readTo(4)
  expect(read.list).toMatchObject([
    { first: 1, last: 3, count: 3, chars: 6 },
    { first: 4, last: 4, count: 1 },
  ])
  expect(lines.readTo(4)).toBe(read)
})

test('what several calls report at the same time is one line for each, until something else happens', () => {
  const log = [
    ...[0, 1, 2].flatMap((step) => [progress('a', step), update('a'), progress('b', step)]),
    fact(9),
    progress('a', 3),
  ]
  const shown = (query: string) => {
    const { list, indexOf } = createLines(log, readQuery(query)).readTo(log.length)
    return {
      lines: list.map(
        ({ first, last, count, event }) => `${first}–${last} ${event.type} ×${count}`,
      ),
      indexes: log.map((_, index) => indexOf(index + 1)),
    }
  }
  expect(shown('')).toEqual({
    lines: [
      '1–7 tool_progress ×3',
      '2–8 tool_execution_update ×3',
      '3–9 tool_progress ×3',
      '10–10 warning ×1',
      '11–11 tool_progress ×1',
    ],
    indexes: [0, 1, 2, 0, 1, 2, 0, 1, 2, 3, 4],
  })
  // What a filter leaves out divides nothing that it shows, and nothing is lost between.
  expect(shown('type:progress call:a')).toEqual({
    lines: ['1–7 tool_progress ×3', '11–11 tool_progress ×1'],
    indexes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
  })
})

test('a line says how long after the one before, how large it is and how serious', () => {
  const log = [
    { ...fact(0), ts: 10 },
    { ...logged('info', 'warn'), ts: 25 },
    { ...logged('error'), ts: 26 },
    { ...logged('info'), ts: 27 },
    // The clock of the page went back.
    { ...fact(1), ts: 5 },
  ]
  const bytes = (...events: readonly AgentEvent[]) =>
    events.reduce((sum, event) => sum + new Blob([JSON.stringify(event)]).size, 0)
  const { list } = createLines(log, readQuery('')).readTo(log.length)
  expect(list.map(({ since, bytes, level }) => ({ since, bytes, level }))).toEqual([
    { since: null, bytes: bytes(...log.slice(0, 1)), level: 'warn' },
    { since: 15, bytes: bytes(...log.slice(1, 4)), level: 'error' },
    { since: 0, bytes: bytes(...log.slice(4)), level: 'warn' },
  ])
})

test('a filter finds all events of a tool, and those of a level', async () => {
  const { agent } = await talked()
  const page = render(<Log agent={agent} query="tool:work" />)
  await shownSoon()
  const types = () => screen.getAllByRole('option').map((row) => row.dataset['type'])
  expect(types()).toContain('tool_dispatched')
  page.unmount()
  const log = [fact(0), logged('info'), logged('error'), delta(0)]
  const found = (query: string) =>
    createLines(log, readQuery(query))
      .readTo(log.length)
      .list.map(({ first }) => first)
  expect(found('level:error')).toEqual([3])
  expect(found('level:warn level:error')).toEqual([1, 3])
  expect(found('level:info type:log')).toEqual([2])
})

test('counts what each query finds, live', async () => {
  const { agent } = await talked()
  const queries = ['', 'type:tool_execution', 'level:error']
  const { result } = renderHook(() => useEventCounts(agent, queries))
  await shownSoon()
  const all = (await eventsOf(agent)).length
  expect(result.current).toEqual([all, 2, 0])
  await doing(() => agent.moveHead('msg_1'))
  await shownSoon()
  expect(result.current).toEqual([all + 1, 2, 0])
})

test('who scrolls up or chooses an event stays there, and is led to what is new', async () => {
  const log = Array.from({ length: 100 }, (_, index) => fact(index))
  const lines = createLines(log, readQuery(''))
  const shown = (length: number, active: number | null = null) => (
    <EventList lines={lines.readTo(length)} active={active} onActiveChange={() => {}} />
  )
  const page = render(shown(50))
  const list = screen.getByRole('listbox')
  vi.spyOn(list, 'clientHeight', 'get').mockReturnValue(240)
  vi.spyOn(list, 'scrollHeight', 'get').mockImplementation(() =>
    Number.parseFloat(
      list.querySelector<HTMLElement>('[role="presentation"]')?.style.height ?? '0',
    ),
  )
  onTestFinished(() => void vi.restoreAllMocks())
  const newest = () => screen.queryByRole('button', { name: /new$/ })
  page.rerender(shown(60))
  expect(list.scrollTop).toBe(60 * 24)
  expect(newest()).toBeNull()

  list.scrollTop = 240
  fireEvent.scroll(list)
  page.rerender(shown(72))
  expect(list.scrollTop).toBe(240)
  expect(newest()?.textContent).toBe('↓ 12 new')
  newest()?.focus()
  fireEvent.click(newest() ?? list)
  expect(list.scrollTop).toBe(72 * 24)
  expect(newest()).toBeNull()
  expect(document.activeElement).toBe(list)

  page.rerender(shown(72, 70))
  fireEvent.scroll(list)
  page.rerender(shown(80, 70))
  expect(newest()?.textContent).toBe('↓ 8 new')
  // Another filter is another list.
  const others = createLines(log, readQuery('type:warning')).readTo(90)
  page.rerender(<EventList lines={others} active={null} onActiveChange={() => {}} />)
  expect(newest()).toBeNull()
})

test('40,000 events are there, and a window of them is mounted', () => {
  const log = Array.from({ length: 40_000 }, (_, index) => fact(index))
  const lines = createLines(log, readQuery('')).readTo(log.length)
  const onChange = vi.fn()
  render(<EventList lines={lines} active={20_000} onActiveChange={onChange} />)
  const list = screen.getByRole('listbox', { name: 'Events' })
  expect(screen.getAllByRole('option').length).toBeLessThan(60)
  // As where no style gives the list a height of its own.
  vi.spyOn(list, 'clientHeight', 'get').mockReturnValue(log.length * 24)
  fireEvent.scroll(list)
  expect(list.querySelectorAll('[role="option"]').length).toBeLessThan(220)
  vi.restoreAllMocks()
  const active = () => document.getElementById(list.getAttribute('aria-activedescendant') ?? '')
  fireEvent.scroll(list)
  expect(active()?.getAttribute('aria-posinset')).toBe('20000')
  expect(active()?.getAttribute('aria-setsize')).toBe('40000')
  for (const key of ['ArrowUp', 'ArrowDown', 'Home', 'End', 'x']) fireEvent.keyDown(list, { key })
  expect(onChange.mock.calls).toEqual([[19_999], [20_001], [1], [40_000]])
})

test('keys that come faster than the page draws are no endless loop', async () => {
  const { agent } = await talked()
  render(<Log agent={agent} />)
  await shownSoon()
  const list = screen.getByRole('listbox', { name: 'Events' })
  const errors = vi.fn((event: ErrorEvent) => event.preventDefault())
  window.addEventListener('error', errors)
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
  onTestFinished(() => {
    window.removeEventListener('error', errors)
    vi.unstubAllGlobals()
    agent.dispose()
  })
  const press = async (key: string): Promise<void> => {
    list.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    // Enough for a key to be drawn, too little for what its effects leave for later.
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
  }
  await press('Home')
  for (let pair = 0; pair < 60; pair += 1) {
    await press('ArrowDown')
    await press('ArrowUp')
  }
  expect(errors).not.toHaveBeenCalled()
  expect(list.getAttribute('aria-activedescendant')).toMatch(/0$/)
})

test('a long log is gone through in short tasks, and a jump in it then folds little', async () => {
  vi.useFakeTimers()
  let read = 0
  const events = Array.from({ length: 8000 }, (_, index) => fact(index))
  const log = new Proxy(events, {
    get: (target, key, receiver): unknown => {
      if (typeof key === 'string' && /^\d+$/.test(key)) read += 1
      return Reflect.get(target, key, receiver)
    },
  })
  const replay = createReplay(log)
  goThrough(replay, 0, 4000)()
  vi.runAllTimers()
  expect(read).toBe(0)
  goThrough(replay, 0, 4000)
  goThrough(replay, 4000, 8000)
  vi.runAllTimers()
  vi.useRealTimers()
  read = 0
  replay.at(7990)
  replay.at(3900)
  expect(read).toBeLessThan(600)
})

test('an event in full, with what it changed, and to copy', async () => {
  const { agent } = await talked()
  const stop = keepEvents(agent)
  await shownSoon()
  const end = (await eventsOf(agent)).findIndex(({ type }) => type === 'tool_execution_end')
  const page = render(<EventDetail agent={agent} position={end + 1} />)
  const text = page.container.textContent ?? ''
  expect(text).toContain('tool_execution_end')
  expect(text).toMatch(/calls\.call_1\.status "starting" "succeeded"/)
  expect(text).not.toContain('messages.')
  expect(text).toContain('"outcome": "succeeded"')
  const write = vi.fn(async () => {})
  vi.stubGlobal('navigator', { clipboard: { writeText: write } })
  onTestFinished(() => void vi.unstubAllGlobals())
  await doing(() => void fireEvent.click(screen.getByRole('button', { name: /^Copy JSON/ })))
  expect(write).toHaveBeenCalledWith(JSON.stringify((await eventsOf(agent))[end], null, 2))
  page.rerender(<EventDetail agent={agent} position={999} />)
  expect(page.container.textContent).toBe('')
  stop()
})

test('JSON is written as far as a page can show it', () => {
  const value = { a: [1, null, true], b: undefined, c: {}, 'd e': 'x' }
  expect(printJson(value)).toBe(JSON.stringify(value, null, 2))
  expect(printJson([1, 2], { indent: 0 })).toBe('[ 1, 2 ]')
  const long = printJson({
    text: 'x'.repeat(1_000_000),
    more: Array.from({ length: 9999 }, () => 1),
  })
  expect(long.length).toBeLessThan(10_000)
  expect(long).toContain('998,000 more characters')
  expect(long).toContain('9,899 more')
  let deep: unknown = 1
  for (let level = 0; level < 10_000; level += 1) deep = [deep]
  expect(printJson(deep)).toContain('…')
})

test('a replay bar steps, slides, says where it is, and leads back', async () => {
  const { agent } = await talked()
  const onFork = vi.fn()
  render(<Bar agent={agent} onFork={onFork} />, { wrapper: StrictMode })
  await shownSoon()
  const slider = screen.getByRole('slider', { name: 'Position in the log' })
  const { max } = slider as HTMLInputElement
  expect(Number(max)).toBeGreaterThan(10)
  expect(screen.queryByRole('button', { name: 'Back to live' })).toBeNull()

  fireEvent.change(slider, { target: { value: '3' } })
  expect(slider.getAttribute('aria-valuetext')).toMatch(
    new RegExp(`^event 3 of ${max}, 0 ms, [a-z_]+`),
  )
  fireEvent.keyDown(slider, { key: '.' })
  expect(screen.getByText(`4 / ${max}`)).toBeTruthy()
  fireEvent.keyDown(slider, { key: ',' })
  fireEvent.click(screen.getByRole('button', { name: 'Step back' }))
  expect(screen.getByText(`2 / ${max}`)).toBeTruthy()
  const type = () => slider.getAttribute('aria-valuetext')?.split(', ').at(-1)
  fireEvent.keyDown(slider, { key: '>' })
  expect(type()).toBe('message_end')
  fireEvent.click(screen.getByRole('button', { name: 'Next start or end' }))
  expect(type()).toBe('message_end')
  fireEvent.keyDown(slider, { key: '<' })
  fireEvent.click(screen.getByRole('button', { name: 'Previous start or end' }))
  expect(type()).toBe('agent_start')
  fireEvent.change(slider, { target: { value: max } })
  fireEvent.click(screen.getByRole('button', { name: 'Fork from here' }))
  expect(onFork.mock.calls).toEqual([['msg_4']])
  fireEvent.keyDown(slider, { key: 'Escape' })
  expect(screen.queryByRole('button', { name: 'Back to live' })).toBeNull()
})

test('a pause that a replay cuts short is said', async () => {
  const played = createPlayedAgent()
  await doing(() => played.agent.prompt('Go.'))
  await doing(() => played.clock.advance(15_000))
  await streaming(played, ...answer('Done.'))
  render(<Bar agent={played.agent} onFork={() => {}} />)
  await shownSoon()
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const said = () => document.querySelector('output')?.textContent ?? ''
  fireEvent.click(screen.getByRole('button', { name: 'Play' }))
  for (let step = 0; step < 100 && !said().includes('Pause'); step += 1) {
    act(() => void vi.advanceTimersToNextTimer())
  }
  expect(said()).toMatch(/^Pause of 15\.0 s · \d+ \/ \d+$/)
  act(() => void vi.advanceTimersByTime(2000))
  expect(said()).not.toContain('Pause')
})

test('a fork goes up to the last message that counts', async () => {
  const { agent } = await talked()
  const log = await eventsOf(agent)
  const ids = log.map((_, index) => messageToFork(log, index + 1))
  expect([...new Set(ids)]).toEqual([null, 'msg_1', 'msg_2', 'msg_3', 'msg_4'])
  await doing(() => agent.moveHead('msg_1'))
  const moved = await eventsOf(agent)
  expect(messageToFork(moved, moved.length)).toBe('msg_1')
})

test('usage is what was reported, and never an invented number', async () => {
  const { agent } = await talked()
  render(<UsageTable agent={agent} />)
  await shownSoon()
  const cells = () =>
    [...screen.getByRole('table').querySelectorAll('tr')].map((row) =>
      [...row.cells].map(({ textContent }) => textContent).join(' '),
    )
  expect(cells()).toEqual([
    'Answer Input Output Cache read Cache write Cost',
    '1 · test 1 1 — — —',
    '2 · test 1 1 — — —',
    'Total 2 2 — — —',
  ])
  const silent = withUsage({ inputTokens: 0, outputTokens: 0 })
  expect(answersIn([silent], 1)).toMatchObject([{ usage: null }])
  const paid = { inputTokens: 5, outputTokens: 6, cost: 0.0123 }
  expect(answersIn([withUsage(paid)], 1)).toMatchObject([{ usage: paid }])
  expect(answersIn([withUsage(paid)], 0)).toEqual([])
})

test('money that the provider did not state is marked as an estimate, on each row and in the total', async () => {
  const tokens = { inputTokens: 1, outputTokens: 1 }
  const { agent } = createPlayedAgent([], {
    model: scriptedModel(
      [uses({ ...tokens, cost: 1.5, isCostReported: true }), say('A.')],
      [uses({ ...tokens, cost: 0.0123 }), say('B.')],
    ),
    tools: [],
  })
  const { container } = render(<UsageTable agent={agent} />)
  const costs = () =>
    [...container.querySelectorAll('tr')].slice(1).map((row) => row.cells[5]?.textContent)
  await doing(() => agent.prompt('One.'))
  await shownSoon()
  expect(costs()).toEqual(['$1.50', '$1.50'])
  await doing(() => agent.prompt('Two.'))
  await shownSoon()
  expect(costs()).toEqual(['$1.50', 'est. $0.0123', 'est. $1.51'])
})

test('of many answers the table shows the last 200, whose figures share one formatter', async () => {
  const { agent } = await talked()
  const answers = Array.from({ length: 300 }, (_, index) =>
    withUsage({ inputTokens: 1000 + index, outputTokens: 1 }, `m${index}`),
  )
  const long: Agent = {
    ...agent,
    async *events() {
      yield* answers
    },
  }
  const localized = vi.spyOn(Number.prototype, 'toLocaleString')
  onTestFinished(() => localized.mockRestore())

  const { container } = render(<UsageTable agent={long} />)
  await shownSoon()

  expect(container.querySelectorAll('tbody tr')).toHaveLength(200)
  expect(container.querySelector('tbody tr')?.textContent).toBe('101 · m1,1001———')
  expect(screen.getByText(/100 earlier answers/u)).toBeTruthy()
  expect(localized).not.toHaveBeenCalled()
  agent.dispose()
})

test('the size of an event of megabytes is known without writing it', () => {
  const written = vi.spyOn(JSON, 'stringify')
  onTestFinished(() => written.mockRestore())
  const args = { text: 'ab"'.repeat(500_000), list: Array.from({ length: 40_000 }, () => 'word') }
  const event = { ...ofCall, type: 'tool_prepared', toolCallId: 'a', effectiveArgs: args } as const

  const [line] = createLines([event], readQuery('')).readTo(1).list

  const longest = Math.max(...written.mock.results.map(({ value }) => String(value).length))
  expect(longest).toBeLessThan(20_000)
  expect(written.mock.calls.length).toBeLessThan(3000)
  const bytes = JSON.stringify(event).length
  expect(Math.abs((line?.bytes ?? 0) - bytes)).toBeLessThan(bytes / 50)
})

test('texts cannot pass for others, and keep what their script needs', async () => {
  const evil = fact(0, 'abc\u202Etxt.exe می\u200Cخواهم')
  const lines = createLines([evil], readQuery('')).readTo(1)
  render(<EventList lines={lines} active={null} onActiveChange={() => {}} />)
  expect(screen.getByRole('option').textContent).toContain('abc‹U+202E›txt.exe می\u200Cخواهم')
})

test('renders on a server without a log', async () => {
  const { agent } = await talked()
  expect(renderToString(<Log agent={agent} />)).toContain('listbox')
  expect(renderToString(<Bar agent={agent} onFork={() => {}} />)).toContain('0 / 0')
  expect(renderToString(<UsageTable agent={agent} />)).toContain('Total')
  expect(renderToString(<EventDetail agent={agent} position={1} />)).toBe('')
})

async function eventsOf(agent: Agent): Promise<readonly AgentEvent[]> {
  const stop = new AbortController()
  const events: AgentEvent[] = []
  setTimeout(() => stop.abort(), 20)
  for await (const event of agent.events({ signal: stop.signal })) events.push(event)
  return events
}

const envelope = { v: 1, ts: 10, sessionId: 's', runId: 'run_1', turn: 1 } as const

function fact(seq: number, message = 'Something.'): AgentEvent {
  return { ...envelope, seq, type: 'warning', code: 'test', message }
}

const ofCall = { ...envelope, seq: 0, sub: 1, toolName: 'work' } as const

function progress(toolCallId: string, value: number): AgentEvent {
  return { ...ofCall, type: 'tool_progress', toolCallId, value }
}

function update(toolCallId: string): AgentEvent {
  return { ...ofCall, type: 'tool_execution_update', toolCallId, partialResult: { content: [] } }
}

function logged(...levels: readonly ('info' | 'warn' | 'error')[]): AgentEvent {
  const lines = levels.map((level) => ({ level, text: 'Größer.', t: 0 }))
  const { toolName: _, ...rest } = ofCall
  return { ...rest, type: 'tool_log', toolCallId: 'a', lines, dropped: 0 }
}

function delta(sub: number): AgentEvent {
  const step = { type: 'text_delta', contentIndex: 0, delta: 'ab' } as const
  return {
    ...{ ...envelope, seq: 0, sub, type: 'message_update', messageId: 'm' },
    assistantMessageEvent: step,
  }
}

function withUsage(usage: object, id = 'm'): AgentEvent {
  const message = { role: 'assistant', id, parentId: null, content: [], usage }
  return {
    ...{ ...envelope, seq: 0, type: 'message_end' },
    message: { ...message, model: { provider: 'p', id: 'm' } },
  } as AgentEvent
}

function Log({ agent, query = '' }: { readonly agent: Agent; readonly query?: string }) {
  const [active, setActive] = useState<number | null>(null)
  return (
    <EventList lines={useEventLines(agent, query)} active={active} onActiveChange={setActive} />
  )
}

interface BarProps {
  readonly agent: Agent
  readonly onFork: (messageId: string) => void
}

function Bar({ agent, onFork }: BarProps) {
  return <ReplayBar agent={agent} replay={useReplay(agent)} onFork={onFork} />
}
