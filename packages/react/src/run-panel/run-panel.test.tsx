import { type Agent, textOf } from '@offthread/core'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { Profiler, StrictMode, useState } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
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
import { useAgent } from '../use-agent.ts'
import { type PanelTarget, type Replayed, RunPanel } from './run-panel.tsx'

afterEach(cleanup)

test('tabs show the timeline, the events and the usage; a call leads to its events', async () => {
  const { agent } = await talked()
  render(<RunPanel agent={agent} />, { wrapper: StrictMode })
  await shownSoon()
  const grid = screen.getByRole('grid')
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter'])
    fireEvent.keyDown(grid, { key })
  expect(screen.getByRole('tab', { name: 'Events' }).getAttribute('aria-selected')).toBe('true')
  const filter = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Filter events' })
  expect(filter.value).toBe('call:call_1')
  fireEvent.click(screen.getByText('tool_dispatched'))
  expect(screen.getByText('calls.call_1.status')).toBeTruthy()
  const chips = screen.getAllByRole('button', { name: /^(All|Calls|Problems) \d+$/ })
  expect(chips.map(({ textContent }) => textContent?.replace(/\d+/, '#'))).toEqual([
    ...['All #', 'Calls #', 'Problems #'],
  ])
  fireEvent.click(screen.getByRole('button', { name: 'Show its bar' }))
  expect(document.querySelector('[data-part="row"][data-active="true"]')?.textContent).toContain(
    'Label of work',
  )
  fireEvent.click(screen.getByRole('tab', { name: 'Events' }))

  fireEvent.keyDown(screen.getByRole('tablist'), { key: 'ArrowRight' })
  expect(document.activeElement?.textContent).toBe('Usage')
  expect(screen.getByRole('table', { name: 'Tokens and money by answer' })).toBeTruthy()
  fireEvent.keyDown(screen.getByRole('tablist'), { key: 'ArrowRight' })
  fireEvent.click(screen.getByRole('button', { name: 'View as table' }))
  expect(
    screen.getByRole('table', { name: 'Timeline of the run' }).querySelectorAll('tr'),
  ).toHaveLength(5)
})

test('a call is shown in the timeline of its run or in its events, and a row says which call was chosen', async () => {
  const played = await talked()
  const { agent } = played
  const onChoose = vi.fn()
  const panel = (target?: PanelTarget) => (
    <RunPanel agent={agent} onChoose={onChoose} target={target} />
  )
  const { rerender } = render(panel(), { wrapper: StrictMode })
  await shownSoon()
  await doing(() => void agent.prompt('And now?'))
  await streaming(played, ...answer('Nothing.'))
  await shownSoon()
  const choice = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Run' })
  const run = () => choice().selectedIndex
  const active = () => document.querySelector('[data-part="row"][data-active="true"]')
  expect(run()).toBe(1)

  rerender(panel({ tab: 'timeline', toolCallId: 'call_1' }))
  expect(run()).toBe(0)
  expect(active()?.textContent).toContain('Label of work')
  expect(onChoose).not.toHaveBeenCalled()

  const grid = screen.getByRole('grid')
  fireEvent.keyDown(grid, { key: 'Home' })
  expect(onChoose).toHaveBeenLastCalledWith(null)
  fireEvent.change(choice(), { target: { value: choice().options[1]?.value } })
  expect(run()).toBe(1)

  rerender(panel({ tab: 'events', toolCallId: 'call_1' }))
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('call:call_1')
  rerender(panel({ tab: 'timeline', toolCallId: 'call_1' }))
  expect(run()).toBe(0)
  fireEvent.click(active() ?? grid)
  expect(onChoose).toHaveBeenLastCalledWith('call_1')
})

test('a replay shows the page what was then, and leaves when the panel closes', async () => {
  const { agent } = await talked()
  const onReplay = vi.fn()
  const { container } = render(<Page agent={agent} onReplay={onReplay} />, { wrapper: StrictMode })
  const text = () => container.querySelector('main')?.textContent
  fireEvent.click(screen.getByRole('button', { name: 'Panel' }))
  await shownSoon()
  expect(text()).toBe('Go.|Done.')
  const slider = screen.getByRole('slider')

  const texts = new Set<string | undefined>()
  for (let position = 0; position <= Number((slider as HTMLInputElement).max); position += 1) {
    fireEvent.change(slider, { target: { value: String(position) } })
    texts.add(text() ?? '')
  }
  expect([...texts]).toEqual(['', 'Go.', 'Go.|Done.'])
  expect(onReplay.mock.calls.filter(([replayed]) => replayed !== null).length).toBe(1)

  fireEvent.change(slider, { target: { value: '0' } })
  expect(text()).toBe('')
  fireEvent.click(screen.getByRole('button', { name: 'Panel' }))
  expect(text()).toBe('Go.|Done.')
  expect(onReplay).toHaveBeenLastCalledWith(null)
})

test('in a replay the event that is chosen is the moment that is shown', async () => {
  const { agent } = await talked()
  render(<RunPanel agent={agent} />)
  await shownSoon()
  fireEvent.click(screen.getByRole('tab', { name: 'Events' }))
  fireEvent.click(screen.getByText('tool_dispatched'))
  fireEvent.click(screen.getByRole('button', { name: 'Show this moment' }))
  const slider = screen.getByRole<HTMLInputElement>('slider')
  const at = Number(slider.value)
  expect(slider.getAttribute('aria-valuetext')).toContain('tool_dispatched')
  fireEvent.keyDown(screen.getByRole('listbox'), { key: 'ArrowUp' })
  expect(Number(slider.value)).toBeLessThan(at)
})

test('a piece of an answer costs a page no more renders with a closed panel than without one', async () => {
  const commits = async (isKept: boolean): Promise<number> => {
    const played = createPlayedAgent()
    const onRender = vi.fn()
    const stop = isKept ? keepEvents(played.agent) : () => {}
    const page = render(
      <Profiler id="page" onRender={onRender}>
        <Page agent={played.agent} onReplay={() => {}} />
      </Profiler>,
    )
    await doing(() => void played.agent.prompt('Go.'))
    await streaming(played, textStart, textDelta('a'))
    onRender.mockClear()
    for (let piece = 0; piece < 20; piece += 1) {
      await streaming(played, textDelta('more'))
      await doing(() => played.clock.advance(16))
    }
    await shownSoon()
    played.agent.dispose()
    page.unmount()
    stop()
    return onRender.mock.calls.length
  }
  const without = await commits(false)
  expect(without).toBeGreaterThan(0)
  expect(await commits(true)).toBe(without)
})

test('renders on a server, and without a run says what comes', async () => {
  const { agent } = createPlayedAgent()
  expect(renderToString(<RunPanel agent={agent} />)).toContain('There is no run yet')
})

interface PageProps {
  readonly agent: Agent
  readonly onReplay: (replayed: Replayed | null) => void
}

function Page({ agent, onReplay }: PageProps) {
  const [isOpen, setOpen] = useState(false)
  const [replayed, setReplayed] = useState<Replayed | null>(null)
  const [show] = useState(() => (next: Replayed | null) => {
    onReplay(next)
    setReplayed(next)
  })
  return (
    <>
      <Texts agent={replayed?.agent ?? agent} />
      <button type="button" onClick={() => setOpen(!isOpen)}>
        Panel
      </button>
      {isOpen && <RunPanel agent={agent} onReplay={show} />}
    </>
  )
}

function Texts({ agent }: { readonly agent: Agent }) {
  const { messages } = useAgent(agent)
  return (
    <main>
      {messages
        .map(({ content }) => textOf(content))
        .filter(Boolean)
        .join('|')}
    </main>
  )
}
