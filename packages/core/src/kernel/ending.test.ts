import { expect, test } from 'vitest'
import { type Ending, endOfCall } from './ending.ts'
import { accepted, call, handedOut, resultOf, stateOf, text } from './log.fixtures.ts'
import { openCall } from './state.ts'
import { notFoundText } from './texts.ts'
import type { ToolCall } from './tool-call.ts'

const whole = 10_000

test.for<[Ending, string, object]>([
  [
    { kind: 'cancelled' },
    'Cancelled by the user before it started. It did not run.',
    { outcome: 'cancelled', errorKind: 'cancelled' },
  ],
  [
    { kind: 'interrupted' },
    'Interrupted before it started. It did not run.',
    { outcome: 'interrupted', errorKind: 'interrupted' },
  ],
  [
    { kind: 'cut_off' },
    'Not run: the answer was cut off before this call was complete.',
    { outcome: 'failed', errorKind: 'truncated_call' },
  ],
  [
    { kind: 'limit', limit: 'limit of 64 tool calls per turn' },
    'Not run: limit of 64 tool calls per turn reached.',
    { outcome: 'failed', errorKind: 'limit' },
  ],
  [
    { kind: 'not_found', available: ['add', 'draw'] },
    'No tool named "add". Available: add, draw. It did not run.',
    { outcome: 'failed', errorKind: 'not_found' },
  ],
  [
    { kind: 'not_found', available: [] },
    'No tool named "add". Available: none. It did not run.',
    { outcome: 'failed', errorKind: 'not_found' },
  ],
  [
    { kind: 'invalid_args', problem: 'Invalid arguments: a: is missing' },
    'Invalid arguments: a: is missing. It did not run.',
    { outcome: 'failed', errorKind: 'invalid_args' },
  ],
  [
    { kind: 'invalid_args', problem: 'They are no object.' },
    'They are no object. It did not run.',
    { outcome: 'failed', errorKind: 'invalid_args' },
  ],
  [
    { kind: 'not_started', message: 'no such file' },
    'The tool could not be started (no such file). It did not run.',
    { outcome: 'failed', errorKind: 'crashed' },
  ],
  [
    { kind: 'threw', errorKind: 'not_found', message: 'There is no file a.txt.' },
    'There is no file a.txt.',
    { outcome: 'failed', errorKind: 'not_found' },
  ],
  [
    { kind: 'skipped' },
    'Not run: the user sent a new message.',
    { outcome: 'skipped', errorKind: 'skipped' },
  ],
  [
    { kind: 'denied' },
    'The user did not allow this call. It did not run.',
    { outcome: 'denied', errorKind: 'denied' },
  ],
  [
    { kind: 'denied', reason: 'Too dear.' },
    'The user did not allow this call. Too dear. It did not run.',
    { outcome: 'denied', errorKind: 'denied' },
  ],
])(
  '[T1] the text of a call that was not dispatched and %o says so to the model',
  ([ending, words, how]) => {
    expect(endOfCall(waiting(), ending, whole)).toEqual({
      type: 'tool_execution_end',
      toolCallId: 'call_1',
      toolName: 'add',
      attempt: 0,
      result: { content: [text(words)] },
      isError: true,
      mayHaveRun: false,
      ...how,
    })
  },
)

test.for<[Ending, string, object]>([
  [
    { kind: 'cancelled', how: 'terminated' },
    'Cancelled by the user while running. It may have had partial effects.',
    { outcome: 'cancelled', errorKind: 'cancelled', how: 'terminated' },
  ],
  [
    { kind: 'interrupted' },
    'Interrupted: the page closed or reloaded while this tool was running. It may or may not have completed. Check before retrying.',
    { outcome: 'interrupted', errorKind: 'interrupted' },
  ],
  [
    { kind: 'timed_out', timeoutMs: 1500, how: 'cooperative' },
    'Timed out after 1.5 s and was stopped. It may have had partial effects.',
    { outcome: 'timed_out', errorKind: 'timeout', how: 'cooperative' },
  ],
  [
    { kind: 'crashed', message: 'out of memory' },
    'The tool crashed (out of memory). It may have had partial effects.',
    { outcome: 'failed', errorKind: 'crashed' },
  ],
  [
    { kind: 'not_started', message: 'lost contact' },
    'The tool crashed (lost contact). It may have had partial effects.',
    { outcome: 'failed', errorKind: 'crashed' },
  ],
  [
    { kind: 'threw', errorKind: 'failed', message: 'Division by zero.' },
    'Division by zero.',
    { outcome: 'failed', errorKind: 'failed' },
  ],
  [
    { kind: 'withheld' },
    'Result withheld: a hook failed.',
    { outcome: 'failed', errorKind: 'failed' },
  ],
  [
    { kind: 'threw', errorKind: 'cancelled', message: 'I stopped.' },
    'I stopped.',
    { outcome: 'cancelled', errorKind: 'cancelled' },
  ],
])('[T1] a call that was dispatched and %o may have run', ([ending, words, how]) => {
  expect(endOfCall(handed(), ending, whole)).toEqual({
    type: 'tool_execution_end',
    toolCallId: 'call_1',
    toolName: 'add',
    attempt: 1,
    result: { content: [text(words)] },
    isError: true,
    mayHaveRun: true,
    ...how,
  })
})

test('a call that returned has the whole result and no kind of error', () => {
  const result = { ...resultOf('5'), details: { ms: 3 }, structuredContent: 5, terminate: true }

  const end = endOfCall(handed(), { kind: 'returned', result }, whole)

  expect(end).toEqual({
    type: 'tool_execution_end',
    toolCallId: 'call_1',
    toolName: 'add',
    attempt: 1,
    result,
    isError: false,
    outcome: 'succeeded',
    mayHaveRun: true,
  })
})

test.for<[Ending, boolean]>([
  [{ kind: 'cancelled', how: 'terminated' }, true],
  [{ kind: 'timed_out', timeoutMs: 1500, how: 'cooperative' }, true],
  [{ kind: 'crashed', message: 'out of memory' }, true],
  [{ kind: 'threw', errorKind: 'failed', message: 'No.' }, true],
  [{ kind: 'returned', result: resultOf('5') }, false],
  [{ kind: 'withheld' }, false],
])('[D91] what a call was at last is kept of one that %o: %s', ([ending, isKept]) => {
  const partial = resultOf('Half.')

  const end = endOfCall({ ...handed(), partial }, ending, whole)

  expect(end.partialResult).toEqual(isKept ? partial : undefined)
})

test.for<[string, readonly string[], readonly string[], number]>([
  ['says only that lines were left out', [], [], 5],
  ['said little', ['a', 'b'], ['a', 'b'], 5],
  [
    'said much',
    Array.from({ length: 30 }, (_, at) => `${at}`),
    Array.from({ length: 20 }, (_, at) => `${at + 10}`),
    15,
  ],
  [
    'said long lines',
    ['a', 'b', 'c'].map((one) => one.repeat(1900)),
    ['b', 'c'].map((one) => one.repeat(1900)),
    6,
  ],
  ['said one line that is too long', ['a', 'b'.repeat(5000)], [], 7],
])(
  '[D137] the end of a call that %s keeps the last 20 lines, of at most 4,000 characters',
  ([, texts, kept, dropped]) => {
    const linesOf = (list: readonly string[]) =>
      list.map((text) => ({ level: 'info' as const, text, t: 1 }))
    const logs = { lines: linesOf(texts), dropped: 5 }

    const end = endOfCall({ ...handed(), logs }, { kind: 'returned', result: resultOf('5') }, whole)

    expect(end.logs).toEqual({ lines: linesOf(kept), dropped })
    const withheld = endOfCall({ ...handed(), logs }, { kind: 'withheld' }, whole)
    expect(withheld.logs).toBeUndefined()
    const silent = endOfCall(handed(), { kind: 'returned', result: resultOf('5') }, whole)
    expect(silent.logs).toBeUndefined()
  },
)

test('details that a tool adds to its error reach the page, not the model', () => {
  const ending: Ending = {
    kind: 'threw',
    errorKind: 'failed',
    message: 'No.',
    details: { stack: 'at …' },
  }

  const { result } = endOfCall(handed(), ending, whole)

  expect(result).toEqual({ content: [text('No.')], details: { stack: 'at …' } })
})

test('[I19] an end keeps the whole result and says whether the model reads less', () => {
  const long = resultOf('a'.repeat(11))
  const threw: Ending = { kind: 'threw', errorKind: 'failed', message: 'a'.repeat(11) }

  const ends = [
    endOfCall(handed(), { kind: 'returned', result: long }, 10),
    endOfCall(handed(), { kind: 'returned', result: long }, 11),
    endOfCall(handed(), threw, 10),
    endOfCall(handed(), threw, 11),
  ]

  expect(ends.map((end) => end.truncatedForModel)).toEqual([true, undefined, true, undefined])
  expect(ends.map((end) => end.result)).toEqual([long, long, long, long])
})

test('[I24] a hook that denies a call may end the run with it', () => {
  const { result } = endOfCall(waiting(), { kind: 'denied', terminate: true }, whole)

  expect(result.terminate).toBe(true)
})

test.for([
  [false, { isError: false, outcome: 'succeeded' }],
  [true, { isError: true, outcome: 'failed', errorKind: 'failed' }],
] as const)('an answer from outside is the whole result; an error: %s', ([isError, how]) => {
  const result = { ...resultOf('yes'), structuredContent: true }

  const end = endOfCall(waiting(), { kind: 'given', result, isError }, whole)

  expect(end).toEqual({
    type: 'tool_execution_end',
    toolCallId: 'call_1',
    toolName: 'add',
    attempt: 0,
    result,
    mayHaveRun: false,
    ...how,
  })
})

test('a tool that does not exist is named by the start of its name', () => {
  expect(notFoundText('a'.repeat(1000), [], false)).toContain(`No tool named "${'a'.repeat(200)}".`)
})

function waiting(): ToolCall {
  return theCall(stateOf(accepted(call('call_1'))))
}

function handed(): ToolCall {
  return theCall(stateOf(handedOut(call('call_1'))))
}

function theCall(state: ReturnType<typeof stateOf>): ToolCall {
  const found = openCall(state, 'call_1')
  if (!found) throw new Error('The log has no such call.')
  return found
}
