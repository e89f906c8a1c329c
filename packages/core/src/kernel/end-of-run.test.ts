import { expect, test } from 'vitest'
import { deadline } from './end-of-run.ts'
import type { Fact } from './events.ts'
import {
  aborted,
  accepted,
  agentEnd,
  answer,
  answered,
  asked,
  call,
  dispatched,
  ended,
  handedOut,
  opened,
  overloaded,
  prepared,
  staged,
  text,
  turnEnd,
} from './log.fixtures.ts'
import type { Usage } from './message.ts'
import { configWith, ran, scene } from './scene.fixtures.ts'

const settings = configWith({ deadlineMs: 5000 })
const late: Fact = { type: 'abort_requested', by: deadline }

test('the deadline is an effect as long as the run lasts, whatever the run does', () => {
  const going = scene(settings, asked())
  const seen = [going.wanted()]
  going.write(answer('msg_2', [call('call_1')]))
  seen.push(going.wanted())
  going.write(prepared('call_1'), dispatched('call_1'))
  seen.push(going.wanted())

  expect(seen).toEqual([
    ['watch_deadline run_1', 'ask_model run_1 1 1'],
    ['watch_deadline run_1', 'prepare_call call_1'],
    ['watch_deadline run_1', 'run_call call_1 1'],
  ])
  expect(going.effects()[0]).toEqual({ type: 'watch_deadline', runId: 'run_1', ms: 5000 })
})

test('a run without a deadline has no such effect', () => {
  expect(scene(configWith(), asked()).wanted()).toEqual(['ask_model run_1 1 1'])
})

test('[I20] when its time is over a run is stopped, and says that this was why', () => {
  const { write, state, wanted } = scene(settings, handedOut(call('call_1')))

  expect(write(late)).toEqual(['abort_requested'])
  expect(wanted()).toEqual(['run_call call_1 1 stop'])
  write(ended('call_1', '', { outcome: 'cancelled', isError: true }))

  expect(state().lastRun).toMatchObject({
    reason: 'aborted',
    error: { kind: 'timeout', retryable: false, message: /deadlineMs/ },
  })
})

test('[I20] a run that a person stopped has no error', () => {
  const { state } = scene(settings, asked(), aborted)

  expect(state().lastRun).not.toHaveProperty('error')
})

test.for<[string, readonly Fact[]]>([
  ['is over', [...answered(text('Hi.')), turnEnd(), agentEnd()]],
  ['waits for answers from outside', [...accepted(call('call_1', 'ask')), prepared('call_1')]],
  ['is lost', [...asked(), opened('boot_2')]],
])('[I25] there is no deadline for a run that %s', ([, facts]) => {
  expect(scene(settings, facts).wanted()).toEqual([])
})

test('[I31] the usage of a run is that of its turns, including failed attempts', () => {
  const going = scene(configWith(), asked())
  going.write(answer('msg_2', [text('Ha')], { excluded: true, error: overloaded, usage: used(1) }))
  going.write(answer('msg_3', [call('call_1')], { usage: used(10) }))
  going.write(ran('call_1'))
  going.write(answer('msg_4', [text('Hi.')], { usage: used(100) }))

  const ends = going.log.flatMap((one) =>
    one.type === 'turn_end' || one.type === 'agent_end' ? [[one.type, one.usage.inputTokens]] : [],
  )
  expect(ends).toEqual([
    ['turn_end', 11],
    ['turn_end', 100],
    ['agent_end', 111],
  ])
})

test('[I31] a run that continues another counts only its own usage', () => {
  const { write, log } = scene(configWith(), accepted(call('call_1', 'ask')), prepared('call_1'))

  write(staged('call_1'))
  write(ended('call_1'))
  write(answer('msg_9', [text('Hi.')], { usage: used(100) }))

  expect(log.at(-1)).toMatchObject({ type: 'agent_end', turns: 1, usage: used(100) })
})

function used(inputTokens: number): Usage {
  return { inputTokens, outputTokens: 0 }
}
