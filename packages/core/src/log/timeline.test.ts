import { beforeAll, expect, test } from 'vitest'
import { watchedAgent } from '../agent/agent.fixtures.ts'
import { agentTool } from '../agent/agent-tool.ts'
import { callPart } from '../agent/late-calls.ts'
import type { AgentOptions } from '../agent/options.ts'
import { type AgentEvent, isDurable } from '../kernel/events.ts'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { workerTool } from '../runtime/worker-tool.fixtures.ts'
import { fakeWorkers } from '../testing/fake-workers.ts'
import { call, fail, hold, say, scriptedModel } from '../testing/scripted.ts'
import { createTimeline } from './timeline.ts'
import type { Timeline, TimelineRow } from './timeline-row.ts'

// With it the first retry does not take longer than the others.
beforeAll(async () => void (await callPart.load()))

function world(options: Omit<AgentOptions, 'tools'>, tools = [workerTool('a'), workerTool('b')]) {
  const environment = createManualEnvironment()
  const host = fakeWorkers(tools, { clock: environment.clock, readyAtOnce: false })
  const { agent, events } = watchedAgent({ tools: host, ...options }, environment)
  return {
    ...{ agent, events, host },
    pass: async (ms: number) => {
      await quiet()
      environment.clock.advance(ms)
      await quiet()
    },
  }
}

test('a call: waiting for a slot, starting, running; its answer and its run around it', async () => {
  const model = scriptedModel([call('a'), call('b')], [say('Done.')])
  const { agent, events, host, pass } = world({ model, maxConcurrency: 1 })
  const done = agent.prompt('Go.')
  await pass(10)
  host.worker('a').becomeReady()
  await pass(20)
  host.worker('a').begin()
  await pass(30)
  host.worker('a').answer('A.')
  await pass(5)
  host.worker('b').becomeReady()
  await pass(0)
  host.worker('b').begin()
  await pass(40)
  host.worker('b').answer('B.')
  await done

  const { rows } = timelineOf(events)
  expect(rows.map(({ kind, id, parentId, end }) => [kind, id, parentId, end])).toEqual([
    ['run', 'run_1', null, 'stop'],
    ['answer', 'msg_2', 'run_1', 'tool_use'],
    ['call', 'call_1', 'msg_2', 'succeeded'],
    ['call', 'call_2', 'msg_2', 'succeeded'],
    ['answer', 'msg_5', 'run_1', 'stop'],
  ])
  // A worker starts before its call is dispatched to it: that is no waiting.
  expect(phasesOf(rows, 'call_1')).toEqual(['starting 0–30', 'running 30–60'])
  expect(phasesOf(rows, 'call_2')).toEqual(['waiting 0–60', 'starting 60–65', 'running 65–105'])
  expect(phasesOf(rows, 'run_1')).toEqual(['running 0–105'])

  const stored = timelineOf(events.filter(isDurable))
  for (const id of ['call_1', 'call_2', 'run_1']) {
    expect(phasesOf(stored.rows, id)).toEqual(phasesOf(rows, id))
  }
})

test('a call that is being run is open, and what did not change is the same object', async () => {
  const { agent, events, host, pass } = world({ model: scriptedModel([call('a'), call('b')]) })
  const done = agent.prompt('Go.')
  await pass(10)
  host.worker('a').becomeReady()
  host.worker('b').becomeReady()
  await pass(0)
  const timeline = createTimeline()
  for (const event of events) timeline.add(event)
  const before = timeline.get()
  expect(timeline.get()).toBe(before)
  expect(rowOf(before.rows, 'call_1')).toMatchObject({ end: null })

  const added = events.length
  host.worker('a').begin()
  await pass(0)
  for (const event of events.slice(added)) timeline.add(event)

  const after = timeline.get()
  expect(rowOf(after.rows, 'call_1')?.phases.at(-1)).toMatchObject({
    kind: 'running',
    endedAt: null,
  })
  expect(rowOf(after.rows, 'call_2')).toBe(rowOf(before.rows, 'call_2'))
  agent.abort()
  await pass(250)
  await done
})

test('a call that a person has to allow, and one that is cancelled', async () => {
  const model = scriptedModel([call('a'), call('b')], [say('Done.')])
  const { agent, events, host, pass } = world({
    model,
    hooks: { beforeToolCall: ({ toolName }) => ({ requireApproval: toolName === 'a' }) },
  })
  const done = agent.prompt('Go.')
  await pass(0)
  host.worker('b').becomeReady()
  await pass(0)
  host.worker('b').begin()
  await pass(100)
  agent.cancelTool('call_2')
  await pass(50)
  const { approval } = agent.getState().toolCalls.get('call_1') ?? {}
  agent.respondToApproval('call_1', { decision: 'deny', argsDigest: approval?.argsDigest ?? '' })
  await pass(200)
  await done

  const { rows } = timelineOf(events)
  expect(phasesOf(rows, 'call_1')).toEqual(['approval 0–150'])
  expect(rowOf(rows, 'call_1')?.end).toBe('denied')
  expect(phasesOf(rows, 'call_2')).toEqual(['running 0–100', 'cancelling 100–350'])
})

test('each attempt of a call is a phase of its own, and each of a request an answer', async () => {
  const tool = workerTool('a', { retry: { maxAttempts: 2 }, idempotent: true })
  const model = scriptedModel([fail('overloaded', 'Busy.')], [call('a')], [say('Done.')])
  const { agent, events, host, pass } = world({ model }, [tool])
  const done = agent.prompt('Go.')
  await pass(5000)
  host.worker('a').becomeReady()
  await pass(0)
  host.worker('a').begin()
  await pass(10)
  host.worker('a').crash('Broken.')
  await pass(5000)
  host.worker('a', 1).becomeReady()
  await pass(0)
  host.worker('a', 1).begin()
  await pass(10)
  host.worker('a', 1).answer('A.')
  await done

  const { rows } = timelineOf(events)
  expect(rows.filter(({ kind }) => kind === 'answer').map(({ end }) => end)).toEqual([
    'error',
    'tool_use',
    'stop',
  ])
  const attempts = rowOf(rows, 'call_1')?.phases.map(({ kind, attempt }) => `${kind} ${attempt}`)
  expect(attempts).toEqual([
    ...['input 1', 'waiting 1', 'starting 1', 'running 1'],
    ...['pausing 2', 'starting 2', 'running 2'],
  ])
})

test('[R5] [R7] a call that a person has run once more goes on in its row, and in a later run in a row of that run', async () => {
  const model = scriptedModel([call('a'), call('b')], [say('1.')], [say('2.')], [say('3.')])
  let asks = false
  const { agent, events, host, pass } = world({
    ...{ model, maxConcurrency: 1 },
    hooks: { beforeToolCall: () => ({ requireApproval: asks }) },
  })
  const runs = async (name: string, index: number, ms: number) => {
    await pass(10)
    host.worker(name, index).becomeReady()
    await pass(0)
    host.worker(name, index).begin()
    await pass(ms)
  }
  const decide = async (decision: 'approve' | 'deny') => {
    await pass(50)
    const { approval } = agent.getState().toolCalls.get('call_1') ?? {}
    agent.respondToApproval('call_1', { decision, argsDigest: approval?.argsDigest ?? '' })
  }
  const first = agent.prompt('Go.')
  await runs('a', 0, 20)
  host.worker('a').throws(new Error('No.'))
  await pass(0)
  const whileOpen = agent.retryTool('call_1')
  await runs('b', 0, 5)
  host.worker('b').answer('B.')
  await runs('a', 1, 30)
  host.worker('a', 1).throws(new Error('No.'))
  await Promise.all([first, whileOpen])
  expect(rowOf(timelineOf(events).rows, 'call_1')?.end).toBe('failed')
  await pass(1000)
  asks = true
  const denied = agent.retryTool('call_1')
  await decide('deny')
  await denied
  const allowed = agent.retryTool('call_1')
  await decide('approve')
  await runs('a', 2, 40)
  expect(timelineOf(events).rows.findLast(({ id }) => id === 'call_1')?.end).toBeNull()
  host.worker('a', 2).answer('A.')
  await allowed

  const { rows } = timelineOf(events)
  expect(rows.map(({ kind, parentId, end }) => [kind, parentId, end])).toEqual([
    ['run', null, 'stop'],
    ['answer', 'run_1', 'tool_use'],
    ['call', 'msg_2', 'failed'],
    ['call', 'msg_2', 'succeeded'],
    ['answer', 'run_1', 'stop'],
    ...['run_2', 'run_3'].flatMap((runId) => [
      ['run', null, 'stop'],
      ['call', 'msg_2', runId === 'run_2' ? 'denied' : 'succeeded'],
      ['answer', runId, 'stop'],
    ]),
  ])
  expect(attemptsOf(rows, 'call_1')).toEqual([
    ...['1: starting 10', '1: running 20'],
    ...['2: waiting 15', '2: starting 10', '2: running 30'],
    '3: approval 50',
    ...['3: approval 50', '3: starting 10', '3: running 40'],
  ])
  const stored = timelineOf(events.filter(isDurable))
  expect(attemptsOf(stored.rows, 'call_1')).toEqual(attemptsOf(rows, 'call_1'))
})

test('the run of an agent inside a call belongs to that call', async () => {
  const research = agentTool({
    name: 'research',
    description: 'Looks something up.',
    inputSchema: workerTool('research').inputSchema,
    prompt: () => 'Why?',
    agent: { model: scriptedModel([say('Because.')]) },
  })
  const { agent, events } = watchedAgent({
    model: scriptedModel([call('research')], [say('Done.')]),
    tools: research,
  })
  await agent.prompt('Go.')

  const { rows } = timelineOf(events)
  const inner = rows.find(({ kind, parentId }) => kind === 'run' && parentId === 'call_1')
  expect(inner?.end).toBe('stop')
  expect(rows.some(({ kind, parentId }) => kind === 'answer' && parentId === inner?.id)).toBe(true)
})

test('calls of an answer that failed are none', async () => {
  const model = scriptedModel([call('a'), fail('bad_request', 'No.')])
  const { agent, events } = world({ model, retry: null })
  await agent.prompt('Go.')

  expect(events.some(({ type }) => type === 'message_update')).toBe(true)
  expect(timelineOf(events).rows.map(({ kind }) => kind)).toEqual(['run', 'answer'])
})

test('nothing goes on between two openings of a session, but a person may still be asked', () => {
  const envelope = { v: 1, sessionId: 's', runId: 'run_1', turn: 1 } as const
  const shared = {
    toolName: 'a',
    label: 'A',
    args: {},
    index: 0,
    batchSize: 2,
    place: 'worker',
  } as const
  const log: readonly AgentEvent[] = [
    { ...envelope, seq: 1, ts: 10, type: 'tool_execution_start', toolCallId: 'call_1', ...shared },
    { ...envelope, seq: 2, ts: 20, type: 'tool_execution_start', toolCallId: 'call_2', ...shared },
    {
      ...{ ...envelope, seq: 3, ts: 30, type: 'tool_approval_requested', toolCallId: 'call_2' },
      ...{ toolName: 'a', args: {}, argsDigest: 'd' },
    },
    { ...envelope, seq: 4, ts: 9000, type: 'session_opened', bootId: 'boot_2' },
    // The clock of the page went back.
    {
      ...{ ...envelope, seq: 5, ts: 40, type: 'tool_dispatched', toolCallId: 'call_1' },
      ...{ executionId: 'execution_1', attempt: 1, effectiveArgs: {} },
    },
    {
      ...envelope,
      seq: 6,
      ts: 50,
      type: 'tool_cancel_requested',
      toolCallId: 'call_2',
      by: 'user',
    },
  ]

  const { rows, startedAt, endedAt } = timelineOf(log)

  expect([startedAt, endedAt]).toEqual([10, 9000])
  expect(phasesOf(rows, 'call_1')).toEqual(['waiting 10–30', 'starting 9000–'])
  // Nothing of it has to be stopped.
  expect(phasesOf(rows, 'call_2')).toEqual(['waiting 20–30', 'approval 30–9000'])
})

test('marks: what was said into a run, its retries and its stop, and what a person decided on a call', async () => {
  const model = scriptedModel(
    [fail('overloaded', 'Busy.\nVery.')],
    [call('a')],
    [say('1.')],
    [say('Well'), hold()],
  )
  const { agent, events, pass } = world({
    model,
    hooks: { beforeToolCall: () => ({ requireApproval: true }) },
  })
  const done = agent.prompt('Go.')
  await pass(5000)
  agent.steer('Be short.')
  agent.followUp('And then?')
  const { approval } = agent.getState().toolCalls.get('call_1') ?? {}
  agent.respondToApproval('call_1', { decision: 'deny', argsDigest: approval?.argsDigest ?? '' })
  await pass(100)
  agent.abort()
  await done

  const { rows } = timelineOf(events)
  const marksOf = (id: string) =>
    rowOf(rows, id)?.marks.map(({ kind, label }) => `${kind} ${label}`)
  expect(marksOf('run_1')).toEqual([
    'retry attempt 2: Busy.',
    'steering Be short.',
    'follow_up And then?',
    'stop by user',
  ])
  expect(marksOf('call_1')).toEqual(['approval deny'])
  const ats = rowOf(rows, 'run_1')?.marks.map(({ at }) => at) ?? []
  expect(ats).toEqual(ats.toSorted((one, other) => one - other))
})

test('marks: errors that a call logged, as many as can be drawn', () => {
  const envelope = { v: 1, sessionId: 's', runId: 'run_1', turn: 1, toolCallId: 'call_1' } as const
  const logged = (level: 'info' | 'error', sub: number): AgentEvent => ({
    ...{ ...envelope, seq: 1, sub, ts: 10 + sub, type: 'tool_log', dropped: 0 },
    lines: [{ level, text: `${sub} ${'x'.repeat(200)}`, t: 0 }],
  })
  const start: AgentEvent = {
    ...{ ...envelope, seq: 1, ts: 10, type: 'tool_execution_start', toolName: 'a', label: 'A' },
    ...{ args: {}, index: 0, batchSize: 1, place: 'worker' },
  }
  const errors = Array.from({ length: 60 }, (_, index) => logged('error', index + 2))
  const marks = rowOf(timelineOf([start, logged('info', 1), ...errors]).rows, 'call_1')?.marks ?? []
  expect(marks).toHaveLength(50)
  expect(marks[0]).toEqual({ kind: 'error', at: 12, label: `2 ${'x'.repeat(118)}…` })
})

test('what the model writes first and what it waits for', async () => {
  const { agent, events, pass } = world({ model: scriptedModel([say('Well'), hold()]) })
  const done = agent.prompt('Go.')
  await pass(10)
  expect(rowOf(timelineOf(events).rows, 'msg_2')).toMatchObject({
    phases: [{ kind: 'asking' }, { kind: 'streaming', endedAt: null }],
  })
  agent.abort()
  await done
})

function timelineOf(events: readonly AgentEvent[]): Timeline {
  const timeline = createTimeline()
  for (const event of events) timeline.add(event)
  return timeline.get()
}

function rowOf(rows: readonly TimelineRow[], id: string): TimelineRow | undefined {
  return rows.find((row) => row.id === id)
}

/** The attempts of a call in all its rows, each phase with its length. */
function attemptsOf(rows: readonly TimelineRow[], id: string): readonly string[] {
  return rows
    .filter((row) => row.id === id)
    .flatMap(({ phases }) => phases)
    .filter(({ startedAt, endedAt }) => startedAt !== endedAt)
    .map(
      ({ kind, attempt, startedAt, endedAt }) =>
        `${attempt}: ${kind} ${endedAt === null ? '' : endedAt - startedAt}`,
    )
}

/** The phases of a row that took any time. */
function phasesOf(rows: readonly TimelineRow[], id: string): readonly string[] {
  const phases = rowOf(rows, id)?.phases ?? []
  return phases
    .filter(({ startedAt, endedAt }) => startedAt !== endedAt)
    .map(({ kind, startedAt, endedAt }) => `${kind} ${startedAt}–${endedAt ?? ''}`)
}
