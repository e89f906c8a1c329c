import { expect, test } from 'vitest'
import { effectKey } from './effect.ts'
import type { Fact } from './events.ts'
import {
  accepted,
  asked,
  call,
  config,
  handedOut,
  opened,
  prepared,
  stateOf,
} from './log.fixtures.ts'
import { wantedEffects } from './wanted-effects.ts'

test.for<[string, readonly Fact[]]>([
  ['is asking', asked()],
  ['prepares a call', accepted(call('call_1'))],
  ['runs a call', handedOut(call('call_1'))],
])('[I38] nothing of a run that %s is wanted after the page went away', ([, facts]) => {
  expect(wantedEffects(stateOf(facts), config)).toHaveLength(1)
  expect(wantedEffects(stateOf(facts, opened('boot_2')), config)).toEqual([])
})

test('every effect has a key of its own, whatever is wished of it', () => {
  const call1 = {
    type: 'run_call',
    toolCallId: 'call_1',
    attempt: 1,
    delayMs: 0,
    args: {},
    stop: false,
  } as const

  const keys = [
    ...wantedEffects(stateOf(asked()), config),
    ...wantedEffects(stateOf(accepted(call('call_1'), call('call_2')), prepared('call_1')), config),
    { ...call1, attempt: 2 },
  ].map(effectKey)

  expect(keys).toEqual([
    'ask_model run_1 1 1',
    'prepare_call call_2',
    'run_call call_1 1',
    'run_call call_1 2',
  ])
  expect(effectKey({ ...call1, stop: true })).toBe(effectKey(call1))
})
