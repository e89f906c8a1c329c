import { expect, test } from 'vitest'
import { type Fact, isDurable } from './events.ts'
import { fold } from './fold.ts'
import {
  aborted,
  accepted,
  agentEnd,
  agentStart,
  answer,
  answerStart,
  asked,
  call,
  delivered,
  ended,
  goesOn,
  handedOut,
  logOf,
  opened,
  prepared,
  said,
  stateAfter,
  stateOf,
  step,
  streamed,
  text,
  toolMessage,
  toolsEnd,
  turnEnd,
  turnStart,
  usage,
} from './log.fixtures.ts'
import { pathTo } from './transcript.ts'

test('[I34] the end of a message that was not started changes nothing', () => {
  const begun = [...asked(), ...answer('msg_2', [text('Hi')]).slice(0, 1)]
  const [, foreignPrompt] = said('msg_9', 'Me too.')
  const [, foreignAnswer] = answer('msg_9', [call('call_9')])

  for (const foreign of [foreignPrompt, foreignAnswer]) {
    const log = logOf(begun, foreign ?? [])
    const before = stateAfter(log.slice(0, -1))
    const after = stateAfter(log)

    expect(after).toEqual({ ...before, nextSeq: before.nextSeq + 1, sub: 0 })
  }
})

test('[I12] [I34] a result of another call does not count as the next result', () => {
  const log = logOf(
    handedOut(call('call_1')),
    ended('call_1'),
    toolsEnd(toolMessage('call_1')),
    delivered('msg_3', toolMessage('call_9')),
  )

  const { batch } = stateAfter(log)

  expect(batch?.delivered).toBe(0)
})

test('[I4] a message enters the conversation with its end', () => {
  const log = logOf(asked('Hello'))

  const heads = log.map((_, index) => pathTo(stateAfter(log.slice(0, index + 1)).head).length)

  expect(heads).toEqual([0, 0, 0, 0, 1])
})

test('[I6] folds without changing what it was given', () => {
  const [last, ...earlier] = logOf(handedOut(call('call_1')), ended('call_1')).reverse()
  const state = stateAfter(earlier.reverse())
  const before = structuredClone(state)

  if (last) fold(state, last)

  expect(state).toEqual(before)
})

test('[I1] numbers durable events by seq and the others by sub', () => {
  const log = logOf(asked(), answerStart('msg_2'), streamed('msg_2', 'a', 'b'), aborted)

  const counted = log.slice(4).map((_, index) => {
    const { nextSeq, sub } = stateAfter(log.slice(0, index + 5))
    return [nextSeq, sub]
  })

  expect(counted).toEqual([
    [5, 0],
    [6, 0],
    [6, 1],
    [6, 2],
    [6, 3],
    [7, 0],
  ])
})

test('[I2] a run is in the state from its start to its end, and is kept after it', () => {
  const start = agentStart('Go.', { maxTurns: 3 })
  const during = stateOf(opened('boot_1'), start)
  const after = stateOf(
    opened('boot_1'),
    start,
    agentEnd('error', {
      turns: 2,
      error: { kind: 'network', message: 'The line is dead.', retryable: true },
    }),
  )

  expect(during.run).toEqual({
    runId: 'run_1',
    trigger: 'prompt',
    bootId: 'boot_1',
    startedAt: expect.any(Number),
    maxTurns: 3,
    toolExecution: 'parallel',
    pending: [[text('Go.')]],
    rejected: null,
    turns: 0,
    countedTurns: 0,
    usage: { inputTokens: 0, outputTokens: 0 },
    turnUsage: { inputTokens: 0, outputTokens: 0 },
    hasUnknownCost: false,
    abort: null,
    retry: null,
    attempt: 1,
    compactedInTurn: 0,
    repeats: [],
    isLooping: false,
    output: null,
    repairs: 0,
    checked: null,
    step: { kind: 'between_turns', last: null },
  })
  expect(after.run).toBeNull()
  expect(after.lastRun).toEqual({
    runId: 'run_1',
    reason: 'error',
    turns: 2,
    usage,
    durationMs: 7,
    messageId: null,
    previous: null,
    error: { kind: 'network', message: 'The line is dead.', retryable: true },
  })
})

test('[I3] a turn is collecting, asking, answered, over', () => {
  const log = logOf(opened(), agentStart(), turnStart, answer('msg_2', [text('Hi')]), turnEnd())

  const steps = log.slice(1).map((_, index) => stateAfter(log.slice(0, index + 2)).run?.step.kind)

  expect(steps).toEqual(['between_turns', 'collecting', 'asking', 'answered', 'between_turns'])
})

test('[I5] the content at the end of an answer replaces that of its deltas', () => {
  const state = stateOf(
    asked(),
    answerStart('msg_2'),
    streamed('msg_2', 'Hallo'),
    answer('msg_2', [text('Hello')]).slice(1),
  )

  expect(state.head?.message.content).toEqual([text('Hello')])
})

test('[I6] a checkpoint replaces the deltas before it', () => {
  const state = stateOf(
    asked(),
    answerStart('msg_2'),
    { type: 'message_checkpoint', messageId: 'msg_2', content: [text('Once')] },
    step('msg_2', { type: 'text_delta', contentIndex: 0, delta: ' upon' }),
    { type: 'message_checkpoint', messageId: 'msg_9', content: [] },
  )

  expect(state.run?.step).toMatchObject({ message: { content: [text('Once upon')] } })
})

test('[I7] the calls of an answer are open until the last result is written', () => {
  const results = [toolMessage('call_1'), toolMessage('call_2')]
  const settled = [
    ...handedOut(call('call_1'), call('call_2')),
    ended('call_1'),
    ended('call_2'),
    toolsEnd(...results),
    ...delivered('msg_3', toolMessage('call_1')),
  ]

  expect(stateOf(settled).batch).toMatchObject({ messageId: 'msg_2', delivered: 1 })
  expect(stateOf(settled, delivered('msg_4', toolMessage('call_2'))).batch).toBeNull()
})

test('[I7] an excluded answer has no calls', () => {
  const state = stateOf(asked(), answer('msg_2', [call('call_1')], { excluded: true }))

  expect(state.batch).toBeNull()
  expect(state.head?.excluded).toBe(true)
})

test('[I20] an abort is kept, with its source and its reason', () => {
  const state = stateOf(asked(), { type: 'abort_requested', by: 'user', reason: 'Too slow.' })

  expect(state.run?.abort).toEqual({ by: 'user', reason: 'Too slow.' })
})

test('[I20] an abort outside a run stops no later run', () => {
  const state = stateOf(opened(), aborted, agentStart())

  expect(state.run?.abort).toBeNull()
})

test('a rejected prompt is not due any more, and its reason is kept', () => {
  const state = stateOf(opened(), agentStart('Hello'), { type: 'input_rejected', reason: 'No.' })

  expect(state.run).toMatchObject({ pending: [], rejected: 'No.' })
})

test('a loop that is only noted does not count as stopped; a stopped one stays stopped', () => {
  const loop = { type: 'loop_detected', toolName: 'add', repetitions: 3 } as const
  const isLooping = (...aborted: boolean[]) =>
    stateOf(
      asked(),
      aborted.map((one) => ({ ...loop, aborted: one })),
    ).run?.isLooping

  expect([isLooping(false), isLooping(true), isLooping(true, false)]).toEqual([false, true, true])
})

test('[I31] an answer without a cost is noted', () => {
  const cost = (price: number | undefined) => {
    const its = { ...usage, ...(price !== undefined && { cost: price }) }
    return stateOf(asked(), answer('msg_2', [], { usage: its })).run?.hasUnknownCost
  }

  expect([cost(0), cost(1), cost(undefined)]).toEqual([false, false, true])
})

test('[I7] an open call belongs to the run that continues its own; any other run cancels it', () => {
  const open = [
    ...accepted(call('call_1', 'ask')),
    prepared('call_1'),
    turnEnd(),
    agentEnd('awaiting_tool_results'),
  ]
  const cancelledBy = (start: Fact) => stateOf(open, start).batch?.calls[0]?.cancelledBy

  expect(cancelledBy(goesOn('continue'))).toBeUndefined()
  expect(cancelledBy(goesOn('resume'))).toBeUndefined()
  expect(cancelledBy(goesOn('regenerate'))).toBe('user')
  expect(cancelledBy(agentStart('New.'))).toBe('user')
})

test('[I31] a run adds up the usage of its answers, including failed ones', () => {
  const state = stateOf(
    asked(),
    answer('msg_2', [text('Ha')], { excluded: true, usage: { inputTokens: 1, outputTokens: 1 } }),
    answer('msg_3', [text('Hi')], { usage: { inputTokens: 10, outputTokens: 10, cost: 2 } }),
  )

  expect(state.run?.usage).toEqual({ inputTokens: 11, outputTokens: 11, cost: 2 })
})

test('[I37] a message holds its ancestors and their number', () => {
  const state = stateOf(asked(), answer('msg_2', [text('Hi')]), said('msg_3', 'And?'))

  expect(pathTo(state.head).map(({ message, depth }) => [message.id, depth])).toEqual([
    ['msg_1', 0],
    ['msg_2', 1],
    ['msg_3', 2],
  ])
})

test('a prompt waits until its message is written', () => {
  const state = stateOf(asked('Hello'))

  expect(stateOf(opened(), agentStart('Hello')).run?.pending).toEqual([[text('Hello')]])
  expect(state.run?.pending).toEqual([])
})

test.for<Fact>([
  { type: 'warning', code: 'max_turns', message: 'Stopped.' },
  { type: 'loop_detected', toolName: 'add', repetitions: 3, aborted: false },
  { type: 'tool_custom', toolCallId: 'call_1', toolName: 'add', name: 'x', data: 1 },
  { type: 'tool_custom', toolCallId: 'call_1', toolName: 'add', name: 'x', data: 1, durable: true },
])('$type changes no state', (ignored) => {
  const log = logOf(handedOut(call('call_1')), ignored)

  const { nextSeq, sub, ...state } = stateAfter(log)
  const { nextSeq: before, sub: _sub, ...same } = stateAfter(log.slice(0, -1))

  expect(state).toEqual(same)
  expect([nextSeq, sub]).toEqual(isDurable(ignored) ? [before + 1, 0] : [before, 1])
})
