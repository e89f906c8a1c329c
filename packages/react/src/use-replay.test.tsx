import {
  type Agent,
  type AgentEvent,
  type AgentOptions,
  AgentUsageError,
  memoryStorage,
  type SessionStorage,
  textOf,
} from '@offthread/core'
import type { FakeWorker } from '@offthread/core/testing'
import { toolResult } from '@offthread/core/worker'
import { act, cleanup, render, renderHook, screen } from '@testing-library/react'
import { memo, StrictMode } from 'react'
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
} from './agents.fixtures.ts'
import { RunPanel } from './run-panel/run-panel.tsx'
import { useAgent } from './use-agent.ts'
import { useEventLog } from './use-event-log.ts'
import { useReplay } from './use-replay.ts'
import { useTimeline } from './use-timeline.ts'
import { useToolCall } from './use-tool-call.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('shows the agent, its messages and its cards as they were, and then live again', async () => {
  const played = await talked()
  const { result } = renderHook(() => useReplay(played.agent), { wrapper: StrictMode })
  const page = render(<Chat agent={played.agent} />)
  await shownSoon()
  const live = page.container.textContent
  expect(live).toBe('Go. call_1: succeeded Done. ')
  expect(result.current).toMatchObject({ agent: played.agent, position: null })
  const { length } = result.current
  expect(length).toBeGreaterThan(10)

  const texts = new Set<string | null>()
  for (let position = 0; position <= length; position += 1) {
    act(() => result.current.seek(position))
    page.rerender(<Chat agent={result.current.agent} />)
    texts.add(page.container.textContent.trim())
  }

  expect([...texts]).toEqual([
    '',
    'Go.',
    'Go. call_1: input_streaming',
    'Go. call_1: queued',
    'Go. call_1: starting',
    'Go. call_1: succeeded',
    live.trim(),
  ])
  act(() => result.current.step(-length))
  expect(result.current.position).toBe(0)
  act(() => result.current.exit())
  expect(result.current).toMatchObject({ agent: played.agent, position: null })
})

test('skips to where a run, an answer or a call begins or ends, and to the ends of the log', async () => {
  const played = await talked()
  const { result } = renderHook(() => ({
    replay: useReplay(played.agent),
    log: useEventLog(played.agent),
  }))
  await shownSoon()
  const { length } = result.current.replay
  const walk = (by: number) => {
    const types: (string | undefined)[] = []
    for (let before = -1; before !== result.current.replay.position; ) {
      before = result.current.replay.position ?? -1
      act(() => result.current.replay.skip(by))
      types.push(result.current.log.events[(result.current.replay.position ?? 0) - 1]?.type)
    }
    return types.slice(0, -1)
  }
  act(() => result.current.replay.seek(0))
  const points = [
    ...['agent_start', 'message_end', 'message_end', 'tool_dispatched', 'tool_execution_end'],
    ...['message_end', 'agent_end'],
  ]
  expect(walk(1)).toEqual(points)
  expect(result.current.replay.position).toBe(length)
  expect(walk(-1)).toEqual([...points.toReversed().slice(1), undefined])
  expect(result.current.replay.position).toBe(0)
  act(() => result.current.replay.skip(2))
  expect(result.current.log.events[(result.current.replay.position ?? 0) - 1]?.type).toBe(
    'message_end',
  )
})

test('does nothing in a replay: no model is asked, no call is run, no command is taken', async () => {
  const played = await talked()
  const { result } = renderHook(() => useReplay(played.agent))
  await shownSoon()
  const events: AgentEvent[] = []
  played.agent.subscribe((event) => events.push(event))
  const workers = played.host.started.length

  for (let position = 0; position <= result.current.length; position += 1) {
    act(() => result.current.seek(position))
  }
  act(() => result.current.seek(5))
  const { agent } = result.current
  expect(Object.values(agent.getState().can)).not.toContain(true)
  const refusal = { name: 'AgentUsageError', code: 'read_only' }
  await expect(agent.prompt('Hi.')).rejects.toMatchObject(refusal)
  await expect(agent.continue()).rejects.toMatchObject(refusal)
  await expect(agent.regenerate()).rejects.toMatchObject(refusal)
  await expect(agent.retryTool('call_1')).rejects.toMatchObject(refusal)
  await expect(agent.addToolResult('call_1', 'by hand')).rejects.toMatchObject(refusal)
  await expect(agent.takeOver()).rejects.toMatchObject(refusal)
  await expect(agent.redact('msg_1')).rejects.toMatchObject(refusal)
  for (const command of [
    () => agent.steer('Hi.'),
    () => agent.followUp('Hi.'),
    () => agent.clearQueues(),
    () => agent.moveHead(null),
    () => agent.configure({ maxTurns: 1 }),
    () => agent.respondToApproval('call_1', { decision: 'approve', argsDigest: '' }),
  ]) {
    expect(command).toThrow(AgentUsageError)
  }
  expect(agent.cancelTool('call_1')).toBe(false)
  agent.abort()
  agent.dispose()

  expect(events).toEqual([])
  expect(played.host.started).toHaveLength(workers)
  expect(played.agent.getState()).toMatchObject({ status: 'ready', messages: [{}, {}, {}] })
})

test('the transcript is of the moment that is shown, and the bytes of a result are there at each', async () => {
  const { agent: live } = await talked({}, async (worker) => {
    const artifacts = [{ name: 'rows.csv', mediaType: 'text/csv', data: 'a,b' }]
    await worker.returns(toolResult({ content: 'exported', artifacts }))
  })
  const { result } = renderHook(() => useReplay(live))
  await shownSoon()
  const transcripts = new Set<string>()
  for (let position = 0; position <= result.current.length; position += 1) {
    act(() => result.current.seek(position))
    const messages = result.current.agent.getTranscript()
    transcripts.add(
      messages.map(({ role, content }) => `${role} ${textOf(content).slice(0, 14)}`).join('|'),
    )
  }

  expect([...transcripts]).toEqual([
    '',
    'user Go.',
    'user Go.|assistant |toolResult Not started ye',
    'user Go.|assistant |toolResult Still running:',
    'user Go.|assistant |toolResult exported',
    'user Go.|assistant |toolResult exported|assistant Done.',
  ])
  expect(result.current.agent.getTranscript()).toEqual(live.getTranscript())
  act(() => result.current.seek(0))
  const [artifact] = live.getState().toolCalls.get('call_1')?.result?.artifacts ?? []
  const bytes = await result.current.agent.getArtifact(artifact?.artifactId ?? '')
  expect(bytes).toBeDefined()
  expect(bytes).toBe(await live.getArtifact(artifact?.artifactId ?? ''))
})

test('goes on live behind a replay, and what did not change does not render', async () => {
  const played = await talked()
  const { result } = renderHook(() => useReplay(played.agent))
  await shownSoon()
  act(() => result.current.seek(result.current.length))
  const before = result.current.length
  const onRender = vi.fn()
  render(<Line agent={result.current.agent} id="call_1" onRender={onRender} />)

  await doing(() => played.agent.prompt('More?'))
  await streaming(played, ...answer('Of course.'))
  await shownSoon()
  expect(result.current.length).toBeGreaterThan(before)
  expect(result.current.agent.getState().messages).toHaveLength(3)

  act(() => result.current.seek(result.current.length))
  expect(result.current.agent.getState().messages).toHaveLength(5)
  expect(onRender).toHaveBeenCalledTimes(1)
})

test('plays by itself to the end, again from the start, and stops when its part is removed', async () => {
  const played = await talked()
  const { result, unmount } = renderHook(() => useReplay(played.agent))
  await shownSoon()
  const { length } = result.current
  vi.useFakeTimers()

  act(() => result.current.play(2))
  expect(result.current).toMatchObject({ position: 0, isPlaying: true })
  act(() => void vi.advanceTimersByTime(10_000))
  expect(result.current).toMatchObject({ position: length, isPlaying: false })

  act(() => result.current.play())
  act(() => void vi.advanceTimersToNextTimer())
  expect(result.current.position).toBeGreaterThan(0)
  act(() => result.current.pause())
  expect(result.current.isPlaying).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
  expect(() => result.current.play(0)).toThrow('a number above 0')

  act(() => result.current.play())
  unmount()
  expect(vi.getTimerCount()).toBe(0)
})

test('a timeline follows the log; all that show one share it', async () => {
  const played = createPlayedAgent()
  const { result } = renderHook(() => [useTimeline(played.agent), useTimeline(played.agent)])
  expect(result.current[0]?.rows).toEqual([])
  await doing(() => played.agent.prompt('Go.'))
  await streaming(played, ...calls('work'))
  await doing(() => played.host.worker('work').begin())
  await shownSoon()
  expect(result.current[0]?.rows.at(-1)).toMatchObject({
    ...{ kind: 'call', id: 'call_1', end: null },
    phases: [{ kind: 'input' }, { kind: 'waiting' }, { kind: 'starting' }, { kind: 'running' }],
  })
  expect(result.current[0]).toBe(result.current[1])

  await doing(() => played.host.worker('work').answer('Done.'))
  await streaming(played, ...answer('Done.'))
  await shownSoon()

  expect(result.current[0]?.rows.map(({ kind, end }) => [kind, end])).toEqual([
    ['run', 'stop'],
    ['answer', 'tool_use'],
    ['call', 'succeeded'],
    ['answer', 'stop'],
  ])
})

test('an event log has what was before it, its last events count, and a frame renders once', async () => {
  const played = await talked()
  let renders = 0
  const { result, unmount } = renderHook(() => {
    renders += 1
    return useEventLog(played.agent, { limit: 2, filter: isOfCall })
  })
  await shownSoon()
  expect(result.current.events.map(({ type }) => type)).toEqual([
    'tool_dispatched',
    'tool_execution_end',
  ])
  const { total } = result.current
  const before = renders

  await doing(() => played.agent.prompt('More?'))
  await streaming(played, ...answer('a long answer'))
  await shownSoon()
  expect(result.current.total).toBeGreaterThan(total + 5)
  expect(renders - before).toBeLessThanOrEqual(3)
  unmount()
})

test('[D40] forgets what was redacted: the log is read again, and a replay ends', async () => {
  const played = await talked()
  const { result } = renderHook(() => ({
    log: useEventLog(played.agent, { limit: 1000 }),
    replay: useReplay(played.agent),
    timeline: useTimeline(played.agent),
  }))
  await shownSoon()
  act(() => result.current.replay.seek(result.current.replay.length))
  const { rows } = result.current.timeline
  const [question] = played.agent.getState().messages

  await act(() => played.agent.redact(question?.id ?? ''))
  await shownSoon()

  const { log, replay, timeline } = result.current
  expect(JSON.stringify(log.events)).not.toContain('Go.')
  expect(log.events.at(-1)?.type).toBe('message_redacted')
  expect(replay).toMatchObject({ agent: played.agent, position: null })
  expect(timeline.rows.map(({ id, end }) => [id, end])).toEqual(
    rows.map(({ id, end }) => [id, end]),
  )
  act(() => replay.seek(replay.length))
  expect(JSON.stringify(result.current.replay.agent.getState())).not.toContain('Go.')
})

test('[D90] says why a log ends before its end, until it can be read', async () => {
  const sessionId = 'session_1'
  const storage = memoryStorage()
  const before = await talked({ storage, sessionId })
  await before.agent.stored()
  before.agent.dispose()
  let isDamaged = false
  const read: SessionStorage['read'] = async (...range) => {
    const events = await storage.read(...range)
    return isDamaged ? events.filter(({ seq }) => seq !== 3) : events
  }
  const { agent } = createPlayedAgent(['work'], { storage: { ...storage, read }, sessionId })
  await agent.ready
  isDamaged = true
  const hook = () => ({ log: useEventLog(agent), replay: useReplay(agent) })
  const { result, unmount } = renderHook(hook)
  expect(result.current).toMatchObject({ log: { error: null }, replay: { error: null } })
  await shownSoon()

  const error = {
    ...{ name: 'StorageError', kind: 'damaged' },
    message: expect.stringContaining('Event 3 of the stored session cannot be read.'),
  }
  expect(result.current).toMatchObject({ log: { total: 3, error }, replay: { length: 3, error } })
  render(<RunPanel agent={agent} />)
  expect(screen.getByRole('alert').textContent).toContain('Event 3')

  cleanup()
  unmount()
  isDamaged = false
  const again = renderHook(hook)
  await shownSoon()
  expect(again.result.current.log.total).toBeGreaterThan(10)
  expect(again.result.current).toMatchObject({ log: { error: null }, replay: { error: null } })
})

test('renders on a server without a log', async () => {
  const played = await talked()
  expect(renderToString(<Counts agent={played.agent} />)).toBe('0,,0,0')
})

function Counts({ agent }: { readonly agent: Agent }) {
  const { length, position } = useReplay(agent)
  const { rows } = useTimeline(agent)
  const { total } = useEventLog(agent)
  return [length, position, rows.length, total].join()
}

async function talked(
  options: Partial<AgentOptions> = {},
  returns: (worker: FakeWorker) => void | Promise<void> = (worker) => worker.answer('worked'),
): Promise<PlayedAgent> {
  const played = createPlayedAgent(['work'], options)
  await doing(() => played.agent.prompt('Go.'))
  await streaming(played, ...calls('work'))
  const returned = await doing(() => returns(played.host.worker('work')))
  await act(async () => returned())
  await streaming(played, ...answer('Done.'))
  return played
}

function isOfCall({ type }: AgentEvent): boolean {
  return type === 'tool_dispatched' || type === 'tool_execution_end'
}

function Chat({ agent }: { readonly agent: Agent }) {
  const { messages } = useAgent(agent)
  return messages.map(({ id, content }) => (
    <p key={id}>
      {textOf(content)}
      {[...content].map((part) =>
        part.type === 'toolCall' ? (
          <Line key={part.toolCallId} agent={agent} id={part.toolCallId} />
        ) : null,
      )}{' '}
    </p>
  ))
}

interface LineProps {
  readonly agent: Agent
  readonly id: string
  readonly onRender?: () => void
}

const Line = memo(function Line({ agent, id, onRender }: LineProps) {
  const call = useToolCall(agent, id)
  onRender?.()
  return `${id}: ${call?.status}`
})
