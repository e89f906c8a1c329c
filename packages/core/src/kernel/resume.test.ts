import { expect, test } from 'vitest'
import type { Fact } from './events.ts'
import type { KernelConfig } from './kernel-config.ts'
import {
  accepted,
  agentStart,
  answer,
  approvalAsked,
  approvalGiven,
  asked,
  call,
  config,
  dispatched,
  goesOn,
  handedOut,
  logOf,
  opened,
  prepared,
  queued,
  starts,
  text,
  toolInfo,
} from './log.fixtures.ts'
import { openCall } from './state.ts'
import { statusOfCall } from './tool-call.ts'
import { createWriter, type Writer } from './writer.fixtures.ts'

const resuming: KernelConfig = {
  ...config,
  tools: new Map([
    ['add', toolInfo()],
    ['again', toolInfo({ resumable: true })],
    ['ask', toolInfo()],
  ]),
}

const mayHaveCompleted =
  'Interrupted: the page closed or reloaded while this tool was running. It may or may not have completed. Check before retrying.'

test('[D46] a call that may go on stays open when its page is gone, and says that it was cut off', () => {
  const writer = reopened(handedOut(call('call_1', 'again')))

  expect(writer.settle()).toEqual([])

  expect(writer.log.slice(-3)).toMatchObject([
    {
      type: 'auto_retry_start',
      toolCallId: 'call_1',
      attempt: 2,
      maxAttempts: 2,
      delayMs: 0,
      error: { kind: 'internal', message: mayHaveCompleted },
    },
    { type: 'turn_end' },
    { type: 'agent_end', reason: 'interrupted' },
  ])
  expect(statusOf(writer, 'call_1')).toBe('interrupted')
})

test('[D46] the run that is continued runs it again, once', () => {
  const writer = reopened(handedOut(call('call_1', 'again')))
  writer.settle()
  writer.write(goesOn('continue'))

  expect(writer.settle()).toMatchObject([
    { type: 'run_call', toolCallId: 'call_1', attempt: 2, delayMs: 0, stop: false },
  ])
})

test('[D45] [D46] its siblings keep their results, or end as interrupted', () => {
  const writer = reopened([
    ...accepted(call('call_1'), call('call_2', 'again'), call('call_3')),
    ...['call_1', 'call_2'].flatMap((id) => [prepared(id), dispatched(id)]),
  ])

  writer.settle()

  expect(endsOf(writer)).toEqual([
    ['call_1', 'interrupted', true],
    ['call_3', 'interrupted', false],
  ])
  expect(statusOf(writer, 'call_2')).toBe('interrupted')
})

test('[D46] what was not dispatched goes on where it was, without another attempt', () => {
  const calls = [call('call_1', 'again'), call('call_2', 'again')]
  const start = asked('Go.', { toolExecution: 'sequential' })
  const writer = reopened([...start, ...answer('msg_2', calls), ...starts(...calls).slice(0, 1)])

  writer.settle()
  expect(endsOf(writer)).toEqual([])
  expect(writer.state().lastRun?.reason).toBe('interrupted')
  writer.write(goesOn('continue'))

  expect(writer.settle()).toMatchObject([{ type: 'prepare_call', toolCallId: 'call_1' }])
  expect(writer.log.filter(({ type }) => type === 'tool_execution_start')).toHaveLength(1)
})

test('[D46] calls that were not even started are left to the run that goes on', () => {
  const calls = [call('call_1', 'again'), call('call_2')]
  const writer = reopened([...asked(), ...answer('msg_2', calls)])

  writer.settle()

  expect(writer.state().lastRun?.reason).toBe('interrupted')
  writer.write(goesOn('continue'))
  writer.settle()
  expect(writer.log.filter(({ type }) => type === 'tool_execution_start')).toHaveLength(2)
})

test('[D46] a new prompt gives the call up, and the model reads that it may have run', () => {
  const writer = reopened(handedOut(call('call_1', 'again')))
  writer.settle()
  writer.write(agentStart('Something else.'))

  writer.settle()

  expect(endsOf(writer)).toEqual([['call_1', 'interrupted', true]])
  const end = writer.log.find(({ type }) => type === 'tool_execution_end')
  expect(end).toMatchObject({ attempt: 1, result: { content: [text(mayHaveCompleted)] } })
})

test('[D47] an attempt that was cut off, too, is the last', () => {
  const writer = reopened(handedOut(call('call_1', 'again')))
  writer.settle()
  writer.write(goesOn('continue'))
  writer.write(dispatched('call_1', 2), opened('boot_3'))

  writer.settle()

  expect(endsOf(writer)).toEqual([['call_1', 'interrupted', true]])
})

test('[D47] a tool with retry may be tried as often as that says', () => {
  const again = toolInfo({ resumable: true, retry: { maxAttempts: 3, baseMs: 100, capMs: 400 } })
  const settings = { ...resuming, tools: new Map([['again', again]]) }
  const writer = reopened(handedOut(call('call_1', 'again')), settings)
  writer.settle()
  writer.write(goesOn('continue'))
  writer.write(dispatched('call_1', 2), opened('boot_3'))

  writer.settle()

  expect(endsOf(writer)).toEqual([])
  expect(writer.log.findLast(({ type }) => type === 'auto_retry_start')).toMatchObject({
    attempt: 3,
    delayMs: 0,
  })
})

test('[D45] [I20] after an abort nothing goes on', () => {
  const writer = createWriter(
    logOf(
      handedOut(call('call_1', 'again')),
      { type: 'abort_requested', by: 'user' },
      opened('boot_2'),
    ),
    resuming,
  )

  writer.settle()

  expect(writer.state().lastRun?.reason).toBe('aborted')
  expect(endsOf(writer)).toEqual([['call_1', 'interrupted', true]])
})

test('[D49] a call that waits for a person outlives siblings that were cut off', () => {
  const writer = reopened([
    ...accepted(call('call_1', 'ask'), call('call_2')),
    approvalAsked('call_1'),
    prepared('call_2'),
    dispatched('call_2'),
  ])

  writer.settle()

  expect(endsOf(writer)).toEqual([['call_2', 'interrupted', true]])
  expect(statusOf(writer, 'call_1')).toBe('awaiting_approval')
  expect(writer.state().lastRun?.reason).toBe('awaiting_approval')
})

test('[D49] its answer does not run again what was cut off: that takes a person who continues', () => {
  const writer = reopened([
    ...accepted(call('call_1'), call('call_2', 'again')),
    approvalAsked('call_1'),
    prepared('call_2'),
    dispatched('call_2'),
  ])
  writer.settle()
  expect(writer.state().lastRun?.reason).toBe('interrupted')

  writer.write(approvalGiven('call_1', 'approve'))

  expect(writer.settle()).toEqual([])
  expect(writer.state().run).toBeNull()
  writer.write(goesOn('continue'))
  expect(writer.settle()).toMatchObject([
    { type: 'run_call', toolCallId: 'call_1', attempt: 1 },
    { type: 'run_call', toolCallId: 'call_2', attempt: 2 },
  ])
})

test('[D49] queued messages stay queued', () => {
  const waiting = queued({ steering: ['And this.'], followUp: ['And then.'] })
  const writer = reopened([...handedOut(call('call_1', 'again')), waiting])

  writer.settle()

  expect({ type: 'queue_update', ...writer.state().queues }).toEqual(waiting)
})

function reopened(facts: readonly Fact[], settings = resuming): Writer {
  return createWriter(logOf(facts, opened('boot_2')), settings)
}

function statusOf(writer: Writer, toolCallId: string) {
  const found = openCall(writer.state(), toolCallId)
  return found && statusOfCall(found)
}

function endsOf({ log }: Writer) {
  return log.flatMap((event) =>
    event.type === 'tool_execution_end'
      ? [[event.toolCallId, event.outcome, event.mayHaveRun]]
      : [],
  )
}
