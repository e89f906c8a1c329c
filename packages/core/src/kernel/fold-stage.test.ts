import { expect, test } from 'vitest'
import type { Fact } from './events.ts'
import {
  accepted,
  answered,
  approvalAsked,
  approvalGiven,
  call,
  callRetry,
  dispatched,
  ended,
  handedOut,
  prepared,
  resultOf,
  running,
  staged,
  starts,
  stateOf,
  turnStart,
} from './log.fixtures.ts'
import { openCall } from './state.ts'
import type { CallStage } from './tool-call.ts'

const moves: Readonly<Record<string, Fact>> = {
  start: starts(call('call_1'))[0] ?? turnStart,
  prepare: prepared('call_1', { x: 1 }),
  ask: approvalAsked('call_1', { x: 2 }),
  approve: approvalGiven('call_1', 'approve'),
  deny: approvalGiven('call_1', 'deny', { reason: 'No.' }),
  edit: approvalGiven('call_1', 'edit', { args: { x: 3 } }),
  dispatch: dispatched('call_1'),
  run: running('call_1'),
  retry: callRetry('call_1'),
}

/** Every path to every stage, and the moves that lead out of it. All other moves change nothing. */
test.for<[CallStage['kind'], readonly string[], Readonly<Record<string, CallStage['kind']>>]>([
  ['streaming', [], { start: 'accepted' }],
  ['accepted', ['start'], { prepare: 'prepared', ask: 'awaiting_approval' }],
  ['awaiting_approval', ['start', 'ask'], { approve: 'approved', deny: 'denied', edit: 'edited' }],
  ['approved', ['start', 'ask', 'approve'], { prepare: 'prepared' }],
  ['edited', ['start', 'ask', 'edit'], { prepare: 'prepared' }],
  ['denied', ['start', 'ask', 'deny'], {}],
  ['prepared', ['start', 'prepare'], { dispatch: 'dispatched' }],
  ['dispatched', ['start', 'prepare', 'dispatch'], { run: 'running', retry: 'prepared' }],
  ['running', ['start', 'prepare', 'dispatch', 'run'], { retry: 'prepared' }],
  ['ended', ['start', 'end'], {}],
])('[I10] [I34] a call that is %s moves on only as it may', ([kind, way, onward]) => {
  const facts = [...answered(call('call_1')), ...way.map((move) => moves[move] ?? ended('call_1'))]
  const before = openCall(stateOf(facts), 'call_1')

  const after = Object.entries(moves).flatMap(([name, move]) => {
    const reached = openCall(stateOf(facts, move), 'call_1')
    if (reached?.stage.kind === kind) expect(reached).toEqual(before)
    return reached?.stage.kind === kind ? [] : [[name, reached?.stage.kind]]
  })

  expect(before?.stage.kind).toBe(kind)
  expect(Object.fromEntries(after)).toEqual(onward)
})

test.for(['approve', 'deny', 'edit'] as const)(
  '[I34] an answer for other arguments changes nothing: %s',
  (decision) => {
    const held = [...accepted(call('call_1')), approvalAsked('call_1', { x: 1 })]
    const stale = approvalGiven('call_1', decision, { argsDigest: 'old', args: { x: 9 } })

    const before = openCall(stateOf(held), 'call_1')

    expect(openCall(stateOf(held, stale), 'call_1')).toEqual(before)
    expect(before?.stage).toMatchObject({ kind: 'awaiting_approval', argsDigest: 'digest' })
  },
)

test('an approval keeps the arguments that were shown, an edit those that replaced them', () => {
  const held = [...accepted(call('call_1')), approvalAsked('call_1', { x: 1 })]
  const argsAfter = (fact: Fact) => {
    const stage = openCall(stateOf(held, fact), 'call_1')?.stage
    return stage && 'approvalArgs' in stage ? stage.approvalArgs : null
  }

  expect(argsAfter(approvalGiven('call_1', 'approve', { args: { x: 9 } }))).toEqual({ x: 1 })
  expect(argsAfter(approvalGiven('call_1', 'edit', { args: { x: 9 } }))).toEqual({ x: 9 })
  expect(argsAfter(approvalGiven('call_1', 'deny'))).toBeNull()
})

test('only the first answer counts', () => {
  const held = [...accepted(call('call_1')), approvalAsked('call_1')]

  const state = stateOf(held, approvalGiven('call_1', 'deny'), approvalGiven('call_1', 'approve'))

  expect(openCall(state, 'call_1')?.stage.kind).toBe('denied')
})

test.for<[string, object]>([
  ['none', {}],
  ['no object', { args: [1] }],
])('an edit needs arguments: %s', ([, changes]) => {
  const held = [...accepted(call('call_1')), approvalAsked('call_1')]

  const state = stateOf(held, approvalGiven('call_1', 'edit', changes))

  expect(openCall(state, 'call_1')?.stage.kind).toBe('awaiting_approval')
})

test('[I34] only the dispatched execution can start its call', () => {
  const handed = handedOut(call('call_1'))
  const forged = { ...running('call_1'), executionId: 'exec_other' } as Fact

  expect(openCall(stateOf(handed, forged), 'call_1')?.stage.kind).toBe('dispatched')
  const again = [callRetry('call_1'), dispatched('call_1', 2)]
  expect(openCall(stateOf(handed, again, running('call_1')), 'call_1')?.stage.kind).toBe(
    'dispatched',
  )
})

test('a call that is retried keeps its arguments, and has the time of its next attempt', () => {
  const state = stateOf(
    accepted(call('call_1')),
    prepared('call_1', { x: 1 }),
    dispatched('call_1'),
    callRetry('call_1'),
  )

  expect(openCall(state, 'call_1')).toMatchObject({
    attempt: 1,
    stage: { kind: 'prepared', effectiveArgs: { x: 1 }, retryDelayMs: 700 },
  })
})

test('an answer from outside is kept until it is the end of its call; a second one is ignored', () => {
  const handed = [...accepted(call('call_1', 'ask')), prepared('call_1')]
  const state = stateOf(handed, staged('call_1', 'yes'), staged('call_1', 'no'))
  const over = stateOf(handed, staged('call_1', 'yes'), ended('call_1', 'yes'))

  expect(openCall(state, 'call_1')?.staged).toEqual({ result: resultOf('yes'), isError: false })
  expect(openCall(over, 'call_1')).not.toHaveProperty('staged')
})
