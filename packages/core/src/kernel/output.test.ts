import { expect, test } from 'vitest'
import type { Fact } from './events.ts'
import { aborted, agentStart, answer, goesOn, opened, text } from './log.fixtures.ts'
import type { OutputVerdict } from './output-request.ts'
import { configWith, scene } from './scene.fixtures.ts'

const output = { schema: { type: 'object' }, maxRepairs: 1 }
const start: Fact = { ...agentStart('Who?'), output }

const checked = (messageId: string, verdict: OutputVerdict = {}): Fact => ({
  type: 'output_checked',
  messageId,
  ...verdict,
})

test('[O3] the answer that would end the run is checked first, and nothing else follows before', () => {
  const { write, wanted } = scene(configWith(), opened(), start)

  expect(write(...answer('a', [text('{}')]))).toEqual(['assistant', 'turn_end 1'])
  expect(wanted()).toEqual(['check_output a'])
  expect(write(checked('a'))).toEqual(['output_checked', 'agent_end stop'])
})

test('[O4] [O5] a problem starts a turn that says it, until there were enough', () => {
  const { write, wanted, state } = scene(configWith(), opened(), start)
  write(...answer('a', [text('No.')]))

  expect(write(checked('a', { problem: 'It is no object.' }))).toEqual([
    'output_checked',
    'turn_start 2',
    'user repair: The answer does not fit its schema: It is no object. Give the whole answer again.',
  ])
  expect(wanted()).toEqual(['ask_model run_1 2 1'])
  write(...answer('b', [text('No.')]))
  expect(write(checked('b', { problem: 'It is no object.' }))).toEqual([
    'output_checked',
    'agent_end error',
  ])
  expect(state().lastRun?.error?.kind).toBe('invalid_output')
  expect(state().lastOutput).toEqual({ request: output, isMissing: true })
})

test('[O11] what could not be checked is not sent back', () => {
  const { write, state } = scene(configWith(), opened(), start)
  write(...answer('a', [text('{}')]))

  const lines = write(checked('a', { problem: 'It broke.', failed: true }))

  expect(lines).toEqual(['output_checked', 'agent_end error'])
  expect(state().lastRun?.error).toEqual({
    kind: 'internal',
    message: 'It broke.',
    retryable: false,
  })
})

test('[O9] nothing is checked after a stop, and in a later opening', () => {
  const stopped = scene(configWith(), opened(), start)
  stopped.write(...answer('a', [text('{}')]))
  const lost = scene(configWith(), opened(), start)
  lost.write(...answer('a', [text('{}')]))

  expect(stopped.write(aborted)).toEqual(['abort_requested', 'agent_end aborted'])
  expect(lost.write(opened('boot_2'))).toEqual(['session_opened', 'agent_end interrupted'])
  expect([...stopped.wanted(), ...lost.wanted()]).toEqual([])
})

test('[O10] a run that goes on checks the answer that it finds, and asks for what is cut off', () => {
  const whole = scene(configWith(), opened(), start)
  whole.write(...answer('a', [text('{}')]))
  whole.write(opened('boot_2'))
  const cut = scene(configWith(), opened(), start)
  cut.write(...answer('a', [text('{"a":')], { stopReason: 'max_tokens' }))
  cut.write(opened('boot_2'))

  whole.write({ ...goesOn(), output })
  cut.write({ ...goesOn(), output })

  expect(whole.wanted()).toEqual(['check_output a'])
  expect(cut.wanted()).toEqual([expect.stringContaining('ask_model')])
})

test('[O3] a log that says too much changes nothing, and the kernel stays total', () => {
  const { write, wanted } = scene(configWith(), opened(), agentStart('Who?'))

  expect(write(...answer('a', [text('{}')]))).toEqual(['assistant', 'turn_end 1', 'agent_end stop'])
  expect(wanted()).toEqual([])
})
