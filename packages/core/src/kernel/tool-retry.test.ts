import { expect, test } from 'vitest'
import type { Ending } from './ending.ts'
import type { Fact } from './events.ts'
import {
  aborted,
  call,
  callRetry,
  cancelled,
  dispatched,
  handedOut,
  opened,
  resultOf,
  stateOf,
  text,
  toolInfo,
} from './log.fixtures.ts'
import { configWith, linesOf, scene } from './scene.fixtures.ts'
import { openCall, type State } from './state.ts'
import type { ToolCall } from './tool-call.ts'
import { endsOfCall, retryOfCall } from './tool-retry.ts'

const retry = { maxAttempts: 3, baseMs: 100, capMs: 1000 }
const settings = configWith({
  tools: { add: toolInfo({ retry }), twice: toolInfo({ retry, repeatable: true }) },
})

const failed: Ending = { kind: 'threw', errorKind: 'failed', message: 'No answer.' }
const timedOut: Ending = { kind: 'timed_out', timeoutMs: 50, how: 'terminated' }

test.for<[string, Ending, boolean, boolean]>([
  ['fails', failed, true, true],
  ['crashes', { kind: 'crashed', message: 'out of memory' }, false, true],
  ['takes too long', timedOut, false, true],
  ['cannot be started', { kind: 'not_started', message: 'no file' }, false, true],
  ['returns', { kind: 'returned', result: resultOf('5') }, false, false],
  ['says its arguments are wrong', { ...failed, errorKind: 'invalid_args' }, false, false],
  ['says there is no such thing', { ...failed, errorKind: 'not_found' }, false, false],
  ['cancels itself', { ...failed, errorKind: 'cancelled' }, false, false],
  ['gives an invalid result', { ...failed, errorKind: 'invalid_result' }, false, false],
  ['is cancelled', { kind: 'cancelled', how: 'terminated' }, false, false],
  ['is interrupted', { kind: 'interrupted' }, false, false],
  [
    'is answered from outside',
    { kind: 'given', result: resultOf(''), isError: true },
    false,
    false,
  ],
])(
  '[S002-12] [R4] a call that %s is tried again, if at all, as its tool allows',
  ([, ending, once, twice]) => {
    const isRetried = (toolName: string) =>
      retryOfCall(theCall(handedOut(call('call_1', toolName))), ending, settings) !== null

    expect([isRetried('add'), isRetried('twice'), isRetried('draw')]).toEqual([once, twice, false])
  },
)

test('[S002-12] the next attempt is announced with its number, its pause and what failed', () => {
  expect(retryOfCall(theCall(handedOut(call('call_1'))), failed, settings)).toEqual({
    type: 'auto_retry_start',
    scope: 'tool',
    toolCallId: 'call_1',
    attempt: 2,
    maxAttempts: 3,
    delay: { below: 100 },
    error: { kind: 'internal', message: 'No answer.', retryable: true },
  })
  expect(
    retryOfCall(theCall(handedOut(call('call_1', 'twice'))), timedOut, settings),
  ).toMatchObject({
    error: { kind: 'timeout', message: /^Timed out after 0\.05 s/ },
  })
})

test('[I33] [S002-12] a call is dispatched again for every attempt, and at most as often as its tool allows', () => {
  const { write, wanted, effects, state } = scene(settings, handedOut(call('call_1')))
  const again = () => retryOfCall(theCallIn(state()), failed, settings)

  write(again() ?? [])
  expect(wanted()).toEqual(['run_call call_1 2'])
  expect(effects()).toMatchObject([{ attempt: 2, delayMs: 100, stop: false }])
  write(dispatched('call_1', 2))
  expect(wanted()).toEqual(['run_call call_1 2'])
  expect(effects()).toMatchObject([{ attempt: 2, delayMs: 0 }])
  write(again() ?? [], dispatched('call_1', 3))

  expect(again()).toBeNull()
  expect(theCallIn(state()).attempt).toBe(3)
  expect(linesOf(scene(settings).log)).toEqual([])
  expect(endsOfCall(theCallIn(state()), failed, 1000)).toMatchObject([
    { type: 'auto_retry_end', scope: 'tool', toolCallId: 'call_1', success: false, attempt: 3 },
    { type: 'tool_execution_end', attempt: 3, mayHaveRun: true, errorKind: 'failed' },
  ])
})

test('a call that succeeds in the end states the number of its attempt', () => {
  const retried = theCall([
    ...handedOut(call('call_1')),
    callRetry('call_1'),
    dispatched('call_1', 2),
  ])

  expect(endsOfCall(retried, { kind: 'returned', result: resultOf('5') }, 1000)).toMatchObject([
    { type: 'auto_retry_end', success: true, attempt: 2 },
    { type: 'tool_execution_end', attempt: 2, outcome: 'succeeded' },
  ])
})

test('[R4] [D91] a retry leaves what the attempt before gave, and not how far that said it was', () => {
  const half = { content: [text('half')] }
  const said: Fact[] = [
    { type: 'tool_progress', toolCallId: 'call_1', toolName: 'add', status: 'adding', value: 9 },
    { type: 'tool_execution_update', toolCallId: 'call_1', toolName: 'add', partialResult: half },
  ]
  const before = [...handedOut(call('call_1')), ...said]
  expect(theCall(before)).toMatchObject({ progress: { value: 9 }, partial: half })

  const retried = theCall([...before, callRetry('call_1')])

  expect(retried).not.toHaveProperty('progress')
  expect(retried.partial).toEqual(half)
})

test('a call that ran once ends without a number of attempts', () => {
  const ends = endsOfCall(theCall(handedOut(call('call_1'))), failed, 1000)

  expect(ends.map(({ type }) => type)).toEqual(['tool_execution_end'])
})

test.for<[string, Fact]>([
  ['it is cancelled', cancelled('call_1')],
  ['the run is stopped', aborted],
])(
  '[I20] no attempt follows when %s, and the model reads that the call may have run',
  ([, stop]) => {
    const waiting = [...handedOut(call('call_1')), callRetry('call_1')]
    const { write, log } = scene(settings, waiting)

    const lines = write(stop)

    expect(lines.slice(1, 3)).toEqual(['auto_retry_end call_1 1 false', 'end call_1 cancelled'])
    expect(log.find(({ type }) => type === 'tool_execution_end')).toMatchObject({
      attempt: 1,
      mayHaveRun: true,
      result: {
        content: [text('Cancelled by the user while running. It may have had partial effects.')],
      },
    })
  },
)

test('a call that is being cancelled is not tried again', () => {
  const stopping = theCall([...handedOut(call('call_1')), cancelled('call_1')])

  expect(retryOfCall(stopping, failed, settings)).toBeNull()
})

test('[I29] [I38] a call that waits for another attempt does not get it from the next page', () => {
  const waiting = [...handedOut(call('call_1')), callRetry('call_1'), opened('boot_2')]

  const { log, wanted } = scene(settings, waiting)

  expect(wanted()).toEqual([])
  expect(log.find(({ type }) => type === 'tool_execution_end')).toMatchObject({
    outcome: 'interrupted',
    mayHaveRun: true,
    attempt: 1,
  })
})

test('[I15] siblings continue while a call waits for another attempt', () => {
  const { wanted, write } = scene(settings, handedOut(call('call_1'), call('call_2', 'draw')))

  write(callRetry('call_1'))

  expect(wanted()).toEqual(['run_call call_1 2', 'run_call call_2 1'])
})

function theCall(facts: readonly Fact[]): ToolCall {
  return theCallIn(stateOf(facts))
}

function theCallIn(state: State): ToolCall {
  const found = openCall(state, 'call_1')
  if (!found) throw new Error('The log has no such call.')
  return found
}
