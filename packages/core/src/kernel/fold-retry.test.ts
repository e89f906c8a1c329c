import { expect, test } from 'vitest'
import type { Fact } from './events.ts'
import { fold } from './fold.ts'
import {
  accepted,
  agentEnd,
  answer,
  call,
  delivered,
  ended,
  goesOn,
  handedOut,
  logOf,
  prepared,
  retried,
  stateOf,
  text,
  toolMessage,
  toolsEnd,
  turnEnd,
} from './log.fixtures.ts'
import { retryOf } from './manual-retry.ts'
import { configWith, scene } from './scene.fixtures.ts'
import { openCall, type State } from './state.ts'

const messages = [toolMessage('a', 'no'), toolMessage('b')]

/** Two calls have ended, the first one in failure. */
const both = [
  ...handedOut(call('a'), call('b')),
  ended('a', 'no', { isError: true, outcome: 'failed', errorKind: 'failed' }),
  ended('b'),
]

/** The model has read their results, and answered. */
const read: readonly Fact[] = [
  ...both,
  toolsEnd(...messages),
  ...messages.flatMap((message, index) => delivered(`result_${index}`, message)),
  turnEnd(),
  ...answer('msg_3', [text('Done.')]),
  agentEnd(),
]

/** The id of the answer that makes the calls. */
const calling = 'msg_2'

const branch: readonly Fact[] = [{ type: 'head_moved', messageId: calling }, goesOn(), retried('a')]

test('[R6] in an open answer the call begins again, and what it was is kept', () => {
  const state = stateOf(...both.slice(0, -1), retried('a', { n: 1 }))

  expect(openCall(state, 'a')).toMatchObject({
    stage: { kind: 'streaming' },
    attempt: 1,
    retry: { attempts: 1, args: { n: 1 }, earlier: [{ stage: { outcome: 'failed' } }] },
  })
  expect(openCall(state, 'b')?.stage.kind).toBe('dispatched')
})

test('[R7] at an answer whose results are written its calls are open again, as they ended', () => {
  const state = stateOf(...read, ...branch)

  expect(openCall(state, 'a')?.stage.kind).toBe('streaming')
  expect(openCall(state, 'b')?.stage.kind).toBe('ended')
  expect(state.batch).toMatchObject({ messageId: calling, toolMessages: null, delivered: 0 })
  const [left] = state.tips
  expect(left?.message.id).toBe('msg_3')
  expect(nodeOf(left, calling)?.calls.map(({ stage }) => stage.kind)).toEqual(['ended', 'ended'])
  expect(nodeOf(state.head, calling)).not.toBe(nodeOf(left, calling))
})

test.for<[string, readonly Fact[]]>([
  ['it has not ended', [...handedOut(call('a')), retried('a')]],
  ['its results are being written', [...both, toolsEnd(...messages), retried('a')]],
  ['its answer is not the head', [...read, goesOn(), retried('a')]],
  [
    'no run is there to run it',
    [...read, { type: 'head_moved', messageId: calling }, retried('a')],
  ],
  ['no answer has made it', [...both, retried('z')]],
])('[R8] nothing changes if %s', ([, facts]) => {
  const log = logOf(...facts)
  const before = stateOf(...facts.slice(0, -1))
  const last = log.at(-1)
  if (!last) throw new Error('The log is empty.')

  expect(fold(before, last)).toEqual({ ...before, nextSeq: before.nextSeq + 1, sub: 0 })
})

test('[R7] the run of the branch starts the call, gives the model both results, and goes on', () => {
  const { write, wanted } = scene(configWith(), ...read, ...branch)

  expect(wanted()).toEqual(['prepare_call a'])
  expect(write({ type: 'tool_prepared', toolCallId: 'a', effectiveArgs: {} })).toEqual([
    'tool_prepared a',
  ])
  expect(wanted()).toEqual(['run_call a 2'])
  expect(write(ended('a', 'yes', { attempt: 2 }))).toEqual([
    'end a succeeded',
    'tools_end a b',
    'result a: yes',
    'result b: done',
    'turn_start 1',
  ])
  expect(wanted()).toEqual(['ask_model run_2 1 1'])
})

test.for<[string, readonly Fact[]]>([
  ['the first time', []],
  ['once more, too', [ended('b'), retried('b')]],
])('[I17] [L4] a retry leaves the call alone that is checked %s', ([, facts]) => {
  const calls = [call('a'), call('b'), call('c')]
  const { write, wanted } = scene(configWith(), ...accepted(...calls), ended('a'), ...facts)
  write(prepared('c'))
  expect(wanted()).toContain('prepare_call b')

  write(retried('a'))

  expect(wanted()).toEqual(['prepare_call b', 'run_call c 1'])
  write(prepared('b'))
  expect(wanted()).toContain('prepare_call a')
})

test.for<[string, readonly Fact[], object]>([
  ['a call of no answer', read, { refusal: 'unknown' }],
  ['an open call', handedOut(call('z')), { refusal: 'open' }],
])('[R8] is refused: %s', ([, facts, refusal]) => {
  expect(retryOf(stateOf(...facts), 'z')).toEqual(refusal)
})

function nodeOf(tip: State['head'] | undefined, id: string): State['head'] {
  let node = tip ?? null
  while (node && node.message.id !== id) node = node.parent
  return node
}
