import { type Agent, agentTool } from '@offthread/core'
import { jsonSchema } from '@offthread/core/json-schema'
import type { TimelineRow } from '@offthread/core/log'
import { call, say, scriptedModel } from '@offthread/core/testing'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import {
  answer,
  calls,
  createPlayedAgent,
  doing,
  type PlayedAgent,
  shownSoon,
  streaming,
} from '../agents.fixtures.ts'
import { factsOf } from './facts-of-run.ts'
import type { LaneKind } from './lane-row.ts'
import { lanesOf } from './lanes-of.ts'
import { rowName } from './row-words.ts'
import { rowsOfRun, runsIn } from './rows-of-run.ts'
import { ticksOf } from './time-scale.ts'
import { keyOfRow, TimelineGrid } from './timeline-grid.tsx'
import { TimelineTable } from './timeline-table.tsx'
import { useRunTimeline } from './use-run-timeline.ts'

afterEach(cleanup)

test('a run as rows: each with a sentence for screen readers, and a bar for each phase', async () => {
  const played = createPlayedAgent(['a', 'b'])
  render(<Waterfall agent={played.agent} />, { wrapper: StrictMode })
  await talked(played)

  expect(names()).toEqual([
    'Run, done, started at 0 ms, took 500 ms: running 500 ms',
    'test, called tools, started at 0 ms, took 0 ms',
    'Label of a, succeeded, started at 0 ms, took 200 ms: running 200 ms',
    'Label of b, failed, started at 0 ms, took 500 ms: running 500 ms',
    'test, done, started at 500 ms, took 0 ms',
  ])
  const [, , first] = rows()
  const [bar] = within(first ?? document.body).getAllByTitle('running 200 ms')
  expect(bar?.dataset).toMatchObject({ phase: 'running', live: 'false' })
  expect(bar?.style.insetInlineStart).toBe('0%')
  expect(bar?.style.inlineSize).toBe('40%')
})

test('what goes on has no end, and its right edge is written outside of React', async () => {
  const played = createPlayedAgent(['a'])
  const onRender = vi.fn()
  const { container } = render(<Waterfall agent={played.agent} onRender={onRender} />)
  await doing(() => played.agent.prompt('Go.'))
  await streaming(played, ...calls('a'))
  await doing(() => played.host.worker('a').begin())
  await shownSoon()

  const bar = container.querySelector<HTMLElement>('[data-live="true"][data-phase="running"]')
  expect(bar?.style.inlineSize).toContain('var(--now, 0)')
  const part = container.querySelector<HTMLElement>('[data-part="timeline"]')
  const edge = () => part?.style.getPropertyValue('--now')
  await expect.poll(edge).not.toBe('')
  const renders = onRender.mock.calls.length
  const before = edge()
  await expect.poll(edge).not.toBe(before)
  expect(onRender.mock.calls.length).toBe(renders)
  played.agent.dispose()
})

test('the keyboard walks through all rows, opens one, zooms and leaves the page alone', async () => {
  const played = createPlayedAgent(['a', 'b'])
  const onOpen = vi.fn()
  render(<Waterfall agent={played.agent} onOpen={onOpen} />)
  await talked(played)
  const grid = screen.getByRole('grid', { name: 'Timeline of the run' })
  expect(grid.getAttribute('aria-rowcount')).toBe('5')

  const walked = names().map(() => {
    fireEvent.keyDown(grid, { key: 'ArrowDown' })
    const id = grid.getAttribute('aria-activedescendant') ?? ''
    return document.getElementById(id)?.getAttribute('aria-label')
  })
  expect(walked).toEqual(names())
  fireEvent.keyDown(grid, { key: 'Home' })
  fireEvent.keyDown(grid, { key: 'ArrowUp' })
  fireEvent.keyDown(grid, { key: 'PageDown' })
  fireEvent.keyDown(grid, { key: 'ArrowUp' })
  fireEvent.keyDown(grid, { key: 'Enter' })
  expect(onOpen.mock.calls).toEqual([['call call_2']])

  const wide = () => screen.getByTitle('running 200 ms').style.inlineSize
  fireEvent.keyDown(grid, { key: '+' })
  expect(wide()).not.toBe('40%')
  fireEvent.keyDown(grid, { key: '0' })
  expect(wide()).toBe('40%')
  // A shortcut of the page or the browser.
  expect(fireEvent.keyDown(grid, { key: '0', ctrlKey: true })).toBe(true)
  expect(fireEvent.keyDown(grid, { key: 'Tab' })).toBe(true)
  fireEvent.click(screen.getByText('Label of a'))
  expect(grid.querySelector('[aria-selected="true"]')?.textContent).toContain('Label of a')
  expect(screen.getByText('✕').parentElement?.textContent).toBe('✕ Label of b')
})

test('`c` cancels the call that is chosen while it goes on, and is no key elsewhere', async () => {
  const played = createPlayedAgent(['a', 'b'])
  const onCancel = vi.fn((id: string) => void played.agent.cancelTool(id))
  render(<Waterfall agent={played.agent} onCancel={onCancel} />)
  await doing(() => played.agent.prompt('Go.'))
  await streaming(played, ...calls('a', 'b'))
  for (const name of ['a', 'b']) await doing(() => played.host.worker(name).begin())
  await shownSoon()
  const grid = screen.getByRole('grid')
  const press = (key: string) => fireEvent.keyDown(grid, { key })
  expect(press('c')).toBe(true)
  press('Home')
  expect(press('c')).toBe(true)
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) press(key)
  expect(fireEvent.keyDown(grid, { key: 'c', ctrlKey: true })).toBe(true)
  expect(press('c')).toBe(false)
  expect(onCancel.mock.calls).toEqual([['call_2']])
  await doing(() => played.clock.advance(250))
  await shownSoon()
  expect(names().at(3)).toMatch(/^Label of b, cancelled/)
  expect(press('c')).toBe(true)
  played.agent.dispose()
})

test('a mouse shows the moment under it and zooms into what is dragged over; a finger scrolls', async () => {
  const played = createPlayedAgent(['a', 'b'])
  const { container } = render(<Waterfall agent={played.agent} />)
  await talked(played)
  const part = (selector: string) => container.querySelector<HTMLElement>(selector)
  const timeline = part('[data-part="timeline"]') ?? container
  const track = part('[data-part="axis"] [data-part="track"]') ?? container
  const box = { left: 100, right: 200, width: 100, top: 0, bottom: 20, height: 20, x: 100, y: 0 }
  vi.spyOn(track, 'getBoundingClientRect').mockReturnValue({ ...box, toJSON: () => '' })
  const wide = () => screen.getByTitle('running 200 ms').style
  const mouse = (clientX: number) => ({ clientX, button: 0, pointerId: 1, pointerType: 'mouse' })

  fireEvent.pointerMove(timeline, mouse(150))
  expect(part('[data-part="moment"]')?.textContent).toBe('250 ms')
  expect(timeline.dataset['pointed']).toBe('moment')
  fireEvent.pointerMove(timeline, mouse(90))
  expect(timeline.dataset['pointed']).toBeUndefined()

  // A click is no part.
  fireEvent.pointerDown(timeline, mouse(120))
  fireEvent.pointerUp(timeline, mouse(122))
  expect(screen.queryByRole('button', { name: 'Show all' })).toBeNull()
  const finger = { ...mouse(120), pointerType: 'touch' }
  fireEvent.pointerDown(timeline, finger)
  fireEvent.pointerUp(timeline, { ...finger, clientX: 180 })
  expect(wide().inlineSize).toBe('40%')

  fireEvent.pointerDown(timeline, mouse(180))
  fireEvent.pointerMove(timeline, mouse(150))
  expect(timeline.dataset['pointed']).toBe('part')
  // It goes on outside, and ends at the start.
  fireEvent.pointerMove(timeline, mouse(20))
  fireEvent.pointerUp(timeline, mouse(20))
  expect(timeline.dataset['pointed']).toBeUndefined()
  expect(wide().inlineSize).toBe('50%')
  const button = screen.getByRole('button', { name: 'Show all' })
  button.focus()
  fireEvent.click(button)
  expect(wide().inlineSize).toBe('40%')
  expect(document.activeElement).toBe(screen.getByRole('grid'))
})

test('what else happened is a mark, is named with its row and stands in the table', async () => {
  const played = createPlayedAgent(['a'])
  const { container, rerender } = render(<Waterfall agent={played.agent} />)
  await doing(() => played.agent.prompt('Go.'))
  await streaming(played, ...calls('a'))
  await doing(() => played.host.worker('a').begin())
  await doing(() => played.agent.steer('Be\u202e short.'))
  await doing(() => played.clock.advance(200))
  await doing(() => played.host.worker('a').answer('A.'))
  await streaming(played, ...answer('Done.'))
  await doing(() => played.clock.advance(300))
  await shownSoon()
  const mark = container.querySelector<HTMLElement>('[data-mark="steering"]')
  expect(mark?.title).toBe('steering at 200 ms: Be‹U+202E› short.')
  expect(names()[0]).toMatch(/^Run, done, .*; steering at 200 ms: Be/)
  rerender(<Table agent={played.agent} />)
  await shownSoon()
  expect(screen.getAllByRole('row')[1]?.textContent).toContain('donesteering at 200 ms')
})

test('how many calls ran at once is drawn where there were several', async () => {
  const run = rowOf({ kind: 'run', end: 'stop' }, [[0, 100]])
  const callOf = (from: number, to: number) =>
    rowOf({ kind: 'call', end: 'succeeded' }, [[from, to]])
  const chart = (...all: readonly TimelineRow[]) => {
    const rows = [run, ...all].map((row, index) => ({ row: { ...row, id: `${index}` }, depth: 0 }))
    const page = render(
      <TimelineGrid timeline={{ runs: [run], run, rows, startedAt: 0, endedAt: 100 }} />,
    )
    const path = page.container.querySelector('[data-part="load"] path')?.getAttribute('d')
    page.unmount()
    return path
  }
  expect(chart(callOf(0, 40), callOf(40, 80))).toBeUndefined()
  expect(chart(callOf(0, 40), callOf(20, 60), callOf(70, 80))).toBe(
    'M0 2V1H20V0H40V1H60V2H70V1H80V2',
  )
})

test('the table has the same rows, with the time of each kind', async () => {
  const played = createPlayedAgent(['a', 'b'])
  render(<Table agent={played.agent} />)
  await talked(played)
  const table = screen.getByRole('table', { name: 'Timeline of the run' })
  const cells = [...table.querySelectorAll('tr')].map((row) =>
    [...row.cells].map((cell) => cell.textContent),
  )
  expect(cells).toEqual([
    ['What', 'State', 'Started', 'Input', 'Waiting', 'Start-up', 'Running', 'Took'],
    ['Run', 'done', '0 ms', '', '', '', '500 ms', '500 ms'],
    ['test', 'called tools', '0 ms', '', '', '', '', '0 ms'],
    ['Label of a', 'succeeded', '0 ms', '', '', '', '200 ms', '200 ms'],
    ['Label of b', 'failed', '0 ms', '', '', '', '500 ms', '500 ms'],
    ['test', 'done', '500 ms', '', '', '', '', '0 ms'],
  ])
})

test('what an agent does inside of a call is below that call', async () => {
  const research = agentTool({
    name: 'research',
    description: 'Looks something up.',
    inputSchema: jsonSchema({ type: 'object' }),
    prompt: () => 'Why?',
    agent: { model: scriptedModel([say('Because.')]) },
  })
  const { agent } = createPlayedAgent([], {
    model: scriptedModel([call('research'), call('research')], [say('Done.')]),
    tools: research,
  })
  const shown: { rows: readonly string[] } = { rows: [] }
  render(<Keys agent={agent} onRows={(rows) => (shown.rows = rows)} />)
  await doing(() => agent.prompt('Go.'))
  await shownSoon()
  expect(shown.rows).toEqual([
    '0 run',
    '1 answer',
    '2 call',
    '3 run',
    '4 answer',
    '2 call',
    '3 run',
    '4 answer',
    '1 answer',
  ])
})

test('of many rows only those in view are mounted', async () => {
  const { agent } = createPlayedAgent([], {
    model: scriptedModel(
      Array.from({ length: 300 }, () => call('none')),
      [say('Done.')],
    ),
    tools: [],
  })
  render(<Waterfall agent={agent} />)
  await doing(() => agent.prompt('Go.'))
  const grid = await screen.findByRole('grid')
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('303')
  expect(rows().length).toBeLessThan(50)
})

test('without a run there is nothing, and of a run that is not there neither', () => {
  expect(runsIn([])).toEqual([])
  expect(rowsOfRun([], 'run_1')).toEqual([])
  const { agent } = createPlayedAgent()
  expect(renderToString(<Waterfall agent={agent} />)).toContain('aria-rowcount="0"')
})

test('an axis has a few round moments', () => {
  expect(ticksOf({ from: 0, span: 1000 })).toEqual([0, 500, 1000])
  expect(ticksOf({ from: 130, span: 40 })).toEqual([130, 140, 150, 160, 170])
})

test('the times of a run leave out what was tried again after its end', () => {
  const run = rowOf({ kind: 'run', end: 'stop' }, [[0, 100]])
  const call = rowOf({ kind: 'call', end: 'succeeded' }, [
    [10, 50],
    [500, 900],
  ])
  const rows = [run, call].map((row, depth) => ({ row, depth }))

  const facts = factsOf({ runs: [run], run, rows, startedAt: 0, endedAt: 900 }, 900)

  expect(facts).toEqual({ wall: 100, toolTime: 40, queued: 0, most: 1 })
})

test('lanes: as many slots as were taken at once, and each tool with its calls at once', () => {
  const run = rowOf({ kind: 'run', end: 'stop' }, [[0, 100]])
  const callOf = (
    label: string,
    ...spans: readonly (readonly [number, number])[]
  ): TimelineRow => ({
    ...rowOf({ kind: 'call', end: 'succeeded' }, spans),
    id: label,
    label,
  })
  const rows = [
    run,
    callOf('A', [0, 40]),
    callOf('A', [10, 30], [60, 70]),
    callOf('B', [30, 50]),
    callOf('Agent', [0, 100]),
    { ...rowOf({ kind: 'run', end: 'stop' }, [[0, 100]]), parentId: 'Agent' },
  ].map((row, depth) => ({ row, depth }))
  const timeline = { runs: [run], run, rows, startedAt: 0, endedAt: 100 }
  const lanes = (kind: LaneKind) => lanesOf(timeline, kind).rows.map(({ row }) => rowName(row, 0))

  expect(lanes('slot').slice(1)).toEqual([
    'Slot 1, 2 calls, started at 0 ms, took 70 ms: A running 40 ms, A running 10 ms (attempt 2)',
    'Slot 2, 2 calls, started at 10 ms, took 40 ms: A running 20 ms, B running 20 ms',
  ])
  expect(lanes('tool').slice(1)).toEqual([
    'A 1, 2 calls, started at 0 ms, took 70 ms: A running 40 ms, A running 10 ms (attempt 2)',
    'A 2, 1 call, started at 10 ms, took 20 ms: A running 20 ms',
    'Agent, 1 call, started at 0 ms, took 100 ms: Agent running 100 ms',
    'B, 1 call, started at 30 ms, took 20 ms: B running 20 ms',
  ])
})

test('the focus stays at a table of which all rows are shown', async () => {
  const run = rowOf({ kind: 'run', end: 'stop' }, [[0, 100]])
  const rows = Array.from({ length: 250 }, (_, at) => {
    return {
      row: { ...rowOf({ kind: 'call', end: 'succeeded' }, [[0, 1]]), id: `${at}` },
      depth: 1,
    }
  })
  render(<TimelineTable timeline={{ runs: [run], run, rows, startedAt: 0, endedAt: 100 }} />)

  fireEvent.click(screen.getByRole('button', { name: 'Show more (50 rows)' }))

  expect(screen.queryByRole('button')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Timeline of the run' }))
})

function rowOf(
  row: Pick<TimelineRow, 'kind' | 'end'>,
  spans: readonly (readonly [startedAt: number, endedAt: number])[],
): TimelineRow {
  const phases = spans.map(([startedAt, endedAt], index) => {
    return { kind: 'running', attempt: index + 1, startedAt, endedAt } as const
  })
  return { id: row.kind, parentId: null, label: '', phases, marks: [], ...row }
}

/** Two calls at the same time: `a` runs 200 ms and succeeds, `b` 500 ms and fails. */
async function talked(played: PlayedAgent): Promise<void> {
  const { agent, host, clock } = played
  await doing(() => agent.prompt('Go.'))
  await streaming(played, ...calls('a', 'b'))
  await doing(() => host.worker('a').begin())
  await doing(() => host.worker('b').begin())
  await doing(() => clock.advance(200))
  await doing(() => host.worker('a').answer('A.'))
  await doing(() => clock.advance(300))
  await doing(() => host.worker('b').throws(new Error('No.')))
  await streaming(played, ...answer('Done.'))
  await shownSoon()
}

function rows(): readonly HTMLElement[] {
  return screen.getAllByRole('row')
}

function names(): readonly (string | null)[] {
  return screen.getAllByRole('gridcell').map((cell) => cell.getAttribute('aria-label'))
}

interface WaterfallProps {
  readonly agent: Agent
  readonly onOpen?: (key: string) => void
  readonly onCancel?: (toolCallId: string) => void
  readonly onRender?: () => void
}

function Waterfall({ agent, onRender, ...props }: WaterfallProps) {
  onRender?.()
  return <TimelineGrid timeline={useRunTimeline(agent)} {...props} />
}

function Table({ agent }: WaterfallProps) {
  return <TimelineTable timeline={useRunTimeline(agent)} />
}

interface KeysProps extends WaterfallProps {
  readonly onRows: (rows: readonly string[]) => void
}

function Keys({ agent, onRows }: KeysProps) {
  const { rows } = useRunTimeline(agent)
  onRows(rows.map((placed) => `${placed.depth} ${keyOfRow(placed).split(' ')[0]}`))
  return null
}
