import { expect, test } from 'vitest'
import type { Fact } from './events.ts'
import {
  aborted,
  accepted,
  agentEnd,
  agentStart,
  answer,
  answered,
  answerStart,
  approvalAsked,
  approvalGiven,
  asked,
  call,
  callRetry,
  cancelled,
  ended,
  handedOut,
  modelRetry,
  opened,
  overloaded,
  prepared,
  running,
  stateOf,
  step,
  streamed,
  text,
  toolMessage,
  toolsEnd,
  turnEnd,
} from './log.fixtures.ts'
import { isLost, openCall } from './state.ts'
import { statusOf } from './status.ts'
import { announcedCall, statusOfCall } from './tool-call.ts'

const failed = answer('msg_2', [], { excluded: true, error: overloaded })

const moments: readonly [string, readonly Fact[]][] = [
  ['ready', []],
  ['ready', [opened()]],
  ['submitted', [opened(), agentStart()]],
  ['submitted', asked()],
  ['submitted', [...asked(), answerStart('msg_2')]],
  ['streaming', [...asked(), answerStart('msg_2'), ...streamed('msg_2', 'Hi')]],
  ['submitted', answered(call('call_1'))],
  ['running_tools', handedOut(call('call_1'))],
  ['submitted', [...handedOut(call('call_1')), ended('call_1')]],
  ['submitted', [...answered(text('Hi')), turnEnd()]],
  ['ready', [...answered(text('Hi')), turnEnd(), agentEnd()]],
  ['stopping', [...asked(), aborted]],
  ['stopping', [...handedOut(call('call_1')), aborted]],
  ['ready', [...asked(), aborted, turnEnd(), agentEnd('aborted')]],
  ['error', [...asked(), turnEnd(), agentEnd('error')]],
  ['submitted', [...asked(), turnEnd(), agentEnd('error'), agentStart()]],
  ['retrying', [...asked(), ...failed, modelRetry()]],
  ['submitted', [...asked(), ...failed, modelRetry(), answerStart('msg_3')]],
  ['stopping', [...asked(), ...failed, modelRetry(), aborted]],
  ['compacting', [...asked(), { type: 'compaction_start', reason: 'threshold' }]],
  ['awaiting_approval', [...accepted(call('call_1')), approvalAsked('call_1')]],
  ['running_tools', [...accepted(call('call_1'), call('call_2')), approvalAsked('call_1')]],
  [
    'running_tools',
    [...accepted(call('call_1')), approvalAsked('call_1'), approvalGiven('call_1', 'approve')],
  ],
  [
    'awaiting_approval',
    [
      ...accepted(call('call_1', 'ask'), call('call_2')),
      ...[prepared('call_1'), approvalAsked('call_2')],
    ],
  ],
  ['awaiting_tool_results', [...accepted(call('call_1', 'ask')), prepared('call_1')]],
  [
    'awaiting_tool_results',
    [...accepted(call('call_1', 'ask')), turnEnd(), agentEnd('awaiting_tool_results')],
  ],
  ['awaiting_approval', [...accepted(call('call_1')), turnEnd(), agentEnd('awaiting_approval')]],
  ['ready', [...asked(), turnEnd(), agentEnd('awaiting_tool_results')]],
]

test.for(moments.map(titled))('[A9] an agent is %s after %s', ([status, , facts]) => {
  expect(statusOf(stateOf(facts))).toBe(status)
})

const callMoments: readonly [string, readonly Fact[]][] = [
  ['input_streaming', answered(call('call_1'))],
  ['queued', accepted(call('call_1'))],
  ['queued', [...accepted(call('call_1')), prepared('call_1')]],
  ['awaiting_approval', [...accepted(call('call_1')), approvalAsked('call_1')]],
  ['cancelled', [...accepted(call('call_1')), approvalAsked('call_1'), aborted]],
  [
    'denied',
    [
      ...accepted(call('call_1')),
      approvalAsked('call_1'),
      approvalGiven('call_1', 'deny'),
      aborted,
    ],
  ],
  [
    'queued',
    [...accepted(call('call_1')), approvalAsked('call_1'), approvalGiven('call_1', 'deny')],
  ],
  ['queued', [...handedOut(call('call_1')), callRetry('call_1')]],
  ['starting', handedOut(call('call_1'))],
  ['running', [...handedOut(call('call_1')), running('call_1')]],
  ['cancelling', [...handedOut(call('call_1')), cancelled('call_1')]],
  ['cancelled', [...accepted(call('call_1')), aborted]],
  ['succeeded', [...handedOut(call('call_1')), ended('call_1')]],
  ['failed', [...handedOut(call('call_1')), ended('call_1', '', { outcome: 'failed' })]],
  ['timed_out', [...handedOut(call('call_1')), ended('call_1', '', { outcome: 'timed_out' })]],
  ['cancelled', [...accepted(call('call_1')), ended('call_1', '', { outcome: 'cancelled' })]],
  ['interrupted', [...handedOut(call('call_1')), ended('call_1', '', { outcome: 'interrupted' })]],
]

test.for(callMoments.map(titled))('a call is %s after %s', ([status, , facts]) => {
  const found = openCall(stateOf(facts), 'call_1')

  expect(found && statusOfCall(found)).toBe(status)
})

test('a call is in the state from its first delta', () => {
  const announced = announcedCall(call('call_1', 'draw', '{"x'), 'msg_2')

  expect(statusOfCall(announced)).toBe('input_streaming')
  expect(announced).toMatchObject({
    label: 'draw',
    messageId: 'msg_2',
    argsText: '{"x',
    attempt: 0,
  })
})

test('[I38] a run is lost when the log is opened again', () => {
  const going = stateOf(asked())
  const reopened = stateOf(asked(), opened('boot_2'))

  expect(going.run && isLost(going, going.run)).toBe(false)
  expect(reopened.run && isLost(reopened, reopened.run)).toBe(true)
})

test('[I25] nothing is active after the end of a run', () => {
  const state = stateOf(
    handedOut(call('call_1')),
    ended('call_1'),
    toolsEnd(toolMessage('call_1')),
    turnEnd(),
    agentEnd(),
    step('msg_2', { type: 'text_start', contentIndex: 0 }),
    answer('msg_9', [text('Late.')]),
    turnEnd(),
    aborted,
  )

  expect(state.run).toBeNull()
  expect(state.head?.message.id).toBe('msg_2')
})

function titled([status, facts]: readonly [string, readonly Fact[]]) {
  return [status, facts.at(-1)?.type ?? 'nothing', facts] as const
}
