import { expect, test } from 'vitest'
import { effectKey } from './effect.ts'
import type { Fact } from './events.ts'
import type { KernelConfig } from './kernel-config.ts'
import {
  aborted,
  accepted,
  agentStart,
  approvalAsked,
  approvalGiven,
  asked,
  call,
  config,
  handedOut,
  modelRetry,
  opened,
  prepared,
  staged,
  stateOf,
} from './log.fixtures.ts'
import { configWith, scene } from './scene.fixtures.ts'
import { wantedEffects } from './wanted-effects.ts'

test.for<[string, readonly Fact[]]>([
  ['is asking', asked()],
  ['prepares a call', accepted(call('call_1'))],
  ['runs a call', handedOut(call('call_1'))],
])('[I38] no effect of a run that %s is wanted after the page went away', ([, facts]) => {
  expect(wantedEffects(stateOf(facts), config)).toHaveLength(1)
  expect(wantedEffects(stateOf(facts, opened('boot_2')), config)).toEqual([])
})

test.for<[string, KernelConfig, readonly Fact[], readonly string[]]>([
  [
    'a prompt is to be checked',
    configWith({ checksPrompts: true }),
    [opened(), agentStart()],
    ['check_prompt run_1'],
  ],
  ['an answer is retried', configWith(), [...asked(), modelRetry()], ['ask_model run_1 1 2']],
  [
    'a history is summarised',
    configWith(),
    [...asked(), { type: 'compaction_start', reason: 'overflow' }],
    ['compact run_1 1'],
  ],
  [
    'an approval is waited for',
    configWith(),
    [...accepted(call('call_1')), approvalAsked('call_1')],
    [],
  ],
  [
    'an edit is to be checked',
    configWith(),
    [
      ...accepted(call('call_1')),
      approvalAsked('call_1'),
      approvalGiven('call_1', 'edit', { args: {} }),
    ],
    ['prepare_call call_1 edited'],
  ],
  [
    'an answer came from outside',
    configWith(),
    [...accepted(call('call_1', 'ask'), call('call_2')), prepared('call_1'), staged('call_1')],
    ['prepare_call call_2', 'finish_call call_1'],
  ],
])('the effects have keys of their own when %s', ([, settings, facts, expected]) => {
  expect(wantedEffects(stateOf(facts), settings).map(effectKey)).toEqual(expected)
})

test('[I20] a run that is stopped has no deadline', () => {
  const settings = configWith({ deadlineMs: 5 })

  const { wanted } = scene(settings, handedOut(call('call_1')), aborted)

  expect(wanted()).toEqual(['run_call call_1 1 stop'])
})

test('every effect has a key of its own, whatever is wanted', () => {
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
