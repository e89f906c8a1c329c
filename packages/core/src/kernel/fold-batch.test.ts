import { expect, test } from 'vitest'
import type { Fact } from './events.ts'
import {
  aborted,
  accepted,
  answered,
  call,
  cancelled,
  dispatched,
  ended,
  handedOut,
  logOf,
  opened,
  prepared,
  resultOf,
  running,
  starts,
  stateAfter,
  stateOf,
  text,
  toolMessage,
  toolsEnd,
  turnEnd,
} from './log.fixtures.ts'
import { openCall } from './state.ts'
import { statusOfCall, type ToolCall } from './tool-call.ts'

test('[I10] a call moves on with its start, its preparation, its dispatch and its run', () => {
  const log = logOf(
    answered(call('call_1', 'draw', '{"x":1}')),
    starts(call('call_1', 'draw', '{"x":1}')),
    prepared('call_1', { x: 1 }),
    dispatched('call_1'),
    running('call_1'),
  )

  const stages = [5, 4, 3, 2, 1].map((back) => stageAfter(log.slice(0, log.length - back + 1)))

  const acceptedStage = { args: { x: 1 }, index: 0, place: 'page', acceptedAt: 1007 }
  const handed = { executionId: 'exec_call_1', dispatchedAt: 1009, effectiveArgs: { x: 1 } }
  expect(stages).toEqual([
    { kind: 'streaming' },
    { kind: 'accepted', ...acceptedStage },
    { kind: 'prepared', ...acceptedStage, effectiveArgs: { x: 1 }, retryDelayMs: 0 },
    { kind: 'dispatched', ...acceptedStage, ...handed },
    { kind: 'running', ...acceptedStage, ...handed, runningAt: 1010 },
  ])

  function stageAfter(prefix: typeof log) {
    return openCall(stateAfter(prefix), 'call_1')?.stage
  }
})

test('[I10] the end of a call states how it ended', () => {
  const end = ended('call_1', 'gone', {
    isError: true,
    outcome: 'cancelled',
    errorKind: 'cancelled',
    how: 'terminated',
    truncatedForModel: true,
  })
  const state = stateOf(handedOut(call('call_1')), end)

  expect(openCall(state, 'call_1')?.stage).toMatchObject({
    kind: 'ended',
    outcome: 'cancelled',
    result: resultOf('gone'),
    isError: true,
    errorKind: 'cancelled',
    how: 'terminated',
    mayHaveRun: true,
    truncatedForModel: true,
    endedAt: 1010,
  })
})

const everyWord: readonly Fact[] = [
  ...starts(call('call_1')),
  prepared('call_1'),
  dispatched('call_1'),
  running('call_1'),
  {
    type: 'tool_execution_update',
    toolCallId: 'call_1',
    toolName: 'add',
    partialResult: resultOf('half'),
  },
  { type: 'tool_progress', toolCallId: 'call_1', toolName: 'add', message: 'late' },
  {
    type: 'tool_log',
    toolCallId: 'call_1',
    lines: [{ level: 'info', text: 'late', t: 9 }],
    dropped: 1,
  },
  cancelled('call_1'),
  ended('call_1', 'again'),
]

test.for(everyWord.map((fact) => [fact.type, fact] as const))(
  '[I10] [I34] %s changes nothing for a call that has ended',
  ([, late]) => {
    const log = logOf(handedOut(call('call_1')), ended('call_1', 'first'), late)

    expect(stateAfter(log).batch).toEqual(stateAfter(log.slice(0, -1)).batch)
  },
)

test.for(everyWord.map((fact) => [fact.type, fact] as const))(
  '[I34] %s changes nothing for an unknown call',
  ([, foreign]) => {
    const log = logOf(handedOut(call('call_2')), foreign)

    expect(stateAfter(log).batch).toEqual(stateAfter(log.slice(0, -1)).batch)
  },
)

test.for([
  ['accepted', accepted(call('call_1'))],
  ['prepared', [...accepted(call('call_1')), prepared('call_1')]],
  ['dispatched', handedOut(call('call_1'))],
  ['running', [...handedOut(call('call_1')), running('call_1')]],
] as const)('[I7] a second start changes nothing for a call that is %s', ([, facts]) => {
  const log = logOf(facts, starts(call('call_1')))

  expect(stateAfter(log).batch).toEqual(stateAfter(log.slice(0, -1)).batch)
})

test('[I34] an event of another execution does not make a call run', () => {
  const foreign = {
    type: 'tool_running',
    toolCallId: 'call_1',
    attempt: 1,
    executionId: 'exec_9',
  } as const
  const state = stateOf(handedOut(call('call_1')), foreign)

  expect(openCall(state, 'call_1')?.stage.kind).toBe('dispatched')
})

test('[I10] a call is neither prepared nor dispatched nor ended out of order', () => {
  const call1 = call('call_1')

  const skipping = [
    stateOf(answered(call1), prepared('call_1')),
    stateOf(answered(call1), ended('call_1')),
    stateOf(accepted(call1), dispatched('call_1')),
    stateOf(accepted(call1), prepared('call_1'), running('call_1')),
  ]

  expect(skipping.map((state) => openCall(state, 'call_1')?.stage.kind)).toEqual([
    'streaming',
    'streaming',
    'accepted',
    'prepared',
  ])
})

test('[D91] the latest partial result and progress replace those before; the end says which partial result stays', () => {
  const half = (words: string): Fact => ({
    type: 'tool_execution_update',
    toolCallId: 'call_1',
    toolName: 'add',
    partialResult: resultOf(words),
  })
  const progress = (value: number): Fact => ({
    type: 'tool_progress',
    toolCallId: 'call_1',
    toolName: 'add',
    value,
    total: 9,
    unit: 'rows',
    status: 'fetching',
  })
  const said = [...handedOut(call('call_1')), half('one'), progress(1), half('two'), progress(2)]
  const atEnd = (changes: Parameters<typeof ended>[2]) =>
    openCall(stateOf(said, ended('call_1', 'done', changes)), 'call_1')

  const during = openCall(stateOf(said), 'call_1')
  const succeeded = atEnd({})
  const failed = atEnd({ outcome: 'failed', isError: true, partialResult: resultOf('three') })

  expect(during).toMatchObject({
    partial: { content: [text('two')] },
    progress: { value: 2, total: 9, unit: 'rows', status: 'fetching' },
  })
  expect(during?.progress).not.toHaveProperty('message')
  expect(succeeded).not.toHaveProperty('progress')
  expect(succeeded).not.toHaveProperty('partial')
  expect(failed).not.toHaveProperty('progress')
  expect(failed?.partial).toEqual({ content: [text('three')] })
})

test('keeps the last 500 log lines and counts those that were dropped', () => {
  const lines = (count: number, dropped: number): Fact => ({
    type: 'tool_log',
    toolCallId: 'call_1',
    lines: Array.from({ length: count }, (_, t) => ({ level: 'info', text: `line ${t}`, t })),
    dropped,
  })
  const state = stateOf(handedOut(call('call_1')), lines(400, 3), lines(150, 4))

  const logs = openCall(state, 'call_1')?.logs

  expect(logs?.lines).toHaveLength(500)
  expect(logs?.lines[0]?.text).toBe('line 50')
  expect(logs?.lines.at(-1)?.text).toBe('line 149')
  expect(logs?.dropped).toBe(57)
})

test('[I6] the state of an ended call does not depend on ephemeral events', () => {
  const durable = stateOf(handedOut(call('call_1')), ended('call_1'))
  const all = stateOf(handedOut(call('call_1')), running('call_1'), ended('call_1'))

  expect(openCall(all, 'call_1')?.stage).toEqual({
    ...openCall(durable, 'call_1')?.stage,
    endedAt: expect.any(Number),
  })
})

test('[I20] an abort is a request to cancel every call that has not ended', () => {
  const state = stateOf(
    handedOut(call('call_1'), call('call_2'), call('call_3')),
    cancelled('call_2'),
    ended('call_3'),
    { type: 'abort_requested', by: 'signal' },
  )

  const calls: readonly ToolCall[] = state.batch?.calls ?? []

  expect(calls.map(statusOfCall)).toEqual(['cancelling', 'cancelling', 'succeeded'])
  expect(calls.map((one) => one.cancelledBy)).toEqual(['signal', 'user', undefined])
})

test('[I12] tools_end settles what the model will read and attaches the calls to their answer', () => {
  const state = stateOf(
    handedOut(call('call_1'), call('call_2')),
    ended('call_2'),
    ended('call_1'),
    toolsEnd(toolMessage('call_1'), toolMessage('call_2')),
  )

  expect(state.head?.calls.map(statusOfCall)).toEqual(['succeeded', 'succeeded'])
  expect(state.run?.step).toMatchObject({ kind: 'answered', answer: { terminate: false } })
})

test('an event about calls changes nothing where no calls are open', () => {
  const log = logOf(opened(), everyWord, toolsEnd(toolMessage('call_1')), aborted, turnEnd())

  expect(stateAfter(log)).toEqual({
    ...stateAfter(log.slice(0, 1)),
    nextSeq: expect.any(Number),
    sub: 0,
  })
})

test('[D91] what an ended call was at last is there in the next opening of the log, too', () => {
  const stored: readonly Fact[] = [
    ...handedOut(call('call_1'), call('call_2')),
    ended('call_1', 'No.', { outcome: 'failed', isError: true, partialResult: resultOf('Half.') }),
    opened('boot_2'),
  ]

  expect(openCall(stateOf(stored), 'call_1')?.partial).toEqual(resultOf('Half.'))
})

test('[D137] of the log of a call that has ended, a page that did not see it has the end, and one that did has all', () => {
  const lines = Array.from({ length: 30 }, (_, t) => ({ level: 'info' as const, text: `${t}`, t }))
  const seen: Fact = { type: 'tool_log', toolCallId: 'call_1', lines, dropped: 2 }
  const logs = { lines: lines.slice(-20), dropped: 12 }
  const end = ended('call_1', 'Yes.', { logs })
  const logsIn = (...facts: readonly Fact[]) => openCall(stateOf(...facts), 'call_1')?.logs

  expect(logsIn(...handedOut(call('call_1')), end)).toEqual(logs)
  expect(logsIn(...handedOut(call('call_1')), end, opened('boot_2'))).toEqual(logs)
  expect(logsIn(...handedOut(call('call_1')), seen, end)).toEqual({ lines, dropped: 2 })
  const late: Fact = { ...seen, lines: lines.slice(-3), dropped: 0 }
  expect(logsIn(...handedOut(call('call_1')), late, end)).toEqual(logs)
  // As in a log of before it was kept.
  expect(logsIn(...handedOut(call('call_1')), ended('call_1'))).toEqual({ lines: [], dropped: 0 })
})

test('[D86] the next opening of a log has of an open call only what is stored', () => {
  const stored = handedOut(call('call_1'))
  const named = { toolCallId: 'call_1', toolName: 'add' }
  const seen: readonly Fact[] = [
    { ...named, type: 'tool_execution_update', partialResult: resultOf('Half.') },
    { ...named, type: 'tool_progress', value: 1, total: 2 },
    { ...named, type: 'tool_log', lines: [{ level: 'info', text: 'So far.', t: 1 }], dropped: 0 },
  ]

  const watched = stateOf(stored, ...seen, opened('boot_2'))

  expect(openCall(watched, 'call_1')).toEqual(openCall(stateOf(stored, opened('boot_2')), 'call_1'))
})
