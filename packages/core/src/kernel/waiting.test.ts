import { expect, test } from 'vitest'
import type { Fact } from './events.ts'
import {
  aborted,
  accepted,
  answer,
  approvalAsked,
  approvalGiven,
  asked,
  call,
  cancelled,
  dispatched,
  ended,
  goesOn,
  prepared,
  staged,
  text,
} from './log.fixtures.ts'
import { called, configWith, dueAfter, linesOf, ran, type Scene, scene } from './scene.fixtures.ts'
import type { State } from './state.ts'
import { statusOf } from './status.ts'
import { transcript } from './transcript.ts'

const manual = configWith({ toolMode: 'manual' })
const client = [...accepted(call('call_1', 'ask'), call('call_2')), prepared('call_1')]

test('[I32] [S004-1] [S004-11] [A1] in manual mode calls do not run: the run ends and waits', () => {
  const { write, wanted, state } = scene(manual, called('parallel', 'add', 'missing'))

  expect(wanted()).toEqual(['prepare_call call_1'])
  write(prepared('call_1'))
  expect(wanted()).toEqual(['prepare_call call_2'])
  expect(write(prepared('call_2')).slice(1)).toEqual([
    'turn_end 1',
    'agent_end awaiting_tool_results',
  ])
  expect(wanted()).toEqual([])
  expect(state().batch?.calls.map(({ stage }) => stage.kind)).toEqual(['prepared', 'prepared'])
  expect(statusOf(state())).toBe('awaiting_tool_results')
})

test('[I32] [S004-12] [A3] continue() delivers the answers to the model under turn 0, without a new message', () => {
  const { write, wanted, log } = byHand()
  write(staged('call_2', 'two'), staged('call_1', 'one'))
  expect(wanted()).toEqual([])

  const from = log.length
  write(goesOn())
  expect(linesOf(log.slice(from))).toEqual(['agent_start continue'])
  expect(wanted()).toEqual(['finish_call call_1', 'finish_call call_2'])

  write(ended('call_1', 'one', { mayHaveRun: false, attempt: 0 }), given('call_2', 'two'))
  expect(linesOf(log.slice(from + 1))).toEqual([
    'end call_1 succeeded',
    'end call_2 succeeded',
    'tools_end call_1 call_2',
    'result call_1: one',
    'result call_2: two',
    'turn_start 1',
  ])
  const [start, ...rest] = log.slice(from)
  expect(start?.type).toBe('agent_start')
  expect(rest.slice(0, -1).every(({ turn, runId }) => turn === 0 && runId === start?.runId)).toBe(
    true,
  )
  expect(wanted()).toEqual([`ask_model ${start?.runId} 1 1`])
})

test('[I32] manual mode ends in the same transcript as auto', () => {
  const auto = scene(configWith(), called('parallel', 'add', 'add'))
  auto.write(ran('call_2', 'two'), ran('call_1', 'one'))
  const answered = byHand()
  answered.write(staged('call_2', 'two'), staged('call_1', 'one'), goesOn())
  answered.write(given('call_1', 'one'), given('call_2', 'two'))

  expect(saidIn(answered.state())).toEqual(saidIn(auto.state()))
})

test('[I32] in manual mode nothing continues before every call is answered', () => {
  const { write } = byHand()

  expect(write(staged('call_2', 'two'))).toEqual(['tool_result_staged call_2'])
  expect(write(goesOn())).toEqual(['agent_start continue'])
  expect(write(given('call_2', 'two')).at(-1)).toBe('agent_end awaiting_tool_results')
})

test('[I17] [S004-7] in manual mode, too, a blocked call is answered, and the page is asked for the others', () => {
  const { write, wanted } = scene(manual, called('parallel', 'add', 'add'))

  expect(write(denied('call_1'))).toEqual(['end call_1 denied'])
  expect(write(prepared('call_2')).at(-1)).toBe('agent_end awaiting_tool_results')
  write(staged('call_2', 'two'), goesOn())
  expect(write(given('call_2', 'two')).slice(1, 4)).toEqual([
    'tools_end call_1 call_2',
    'result call_1: The user did not allow this call. Not today. It did not run.',
    'result call_2: two',
  ])
  expect(wanted()).toEqual([expect.stringMatching(/^ask_model/)])
})

test('[A1] in manual mode a run goes on when all calls of its answer are blocked', () => {
  const { write, wanted } = scene(manual, called('parallel', 'add', 'add'))

  write(denied('call_1'), denied('call_2'))

  expect(wanted()).toEqual([expect.stringMatching(/^ask_model/)])
})

test('[I20] in manual mode, too, calls that come after an abort are cancelled', () => {
  const [begun, end] = answer('msg_2', [call('call_1')])

  const lines = dueAfter(manual, asked(), begun ?? [], aborted, end ?? [])

  expect(lines.slice(0, 2)).toEqual(['start call_1', 'end call_1 cancelled'])
  expect(lines.at(-1)).toBe('agent_end aborted')
})

test('[I18] in manual mode, too, the calls of a cut-off answer are answered by themselves', () => {
  const cut = answer('msg_2', [call('call_1')], { stopReason: 'max_tokens' })

  const lines = dueAfter(manual, asked(), cut)

  expect(lines.slice(0, 3)).toEqual(['start call_1', 'end call_1 failed', 'tools_end call_1'])
})

test.for<[string, readonly Fact[], readonly string[]]>([
  ['while a sibling runs', [], []],
  ['when it alone is open', ran('call_2'), ['turn_end 1', 'agent_end awaiting_tool_results']],
])('a client call gets its start and its preparation, then waits: %s', ([, more, expected]) => {
  const { write, wanted } = scene(configWith(), client)
  const lines = write(...more)

  expect(lines.slice(more.length)).toEqual(expected)
  expect(wanted().filter((key) => key.includes('call_1'))).toEqual([])
})

test('a client call that is answered while siblings run ends in the same run', () => {
  const { write, wanted } = scene(configWith(), client, prepared('call_2'), dispatched('call_2'))

  expect(write(staged('call_1', 'yes'))).toEqual(['tool_result_staged call_1'])
  expect(wanted()).toEqual(['finish_call call_1', 'run_call call_2 1'])
  expect(write(given('call_1', 'yes'), ended('call_2')).slice(1, 3)).toEqual([
    'end call_2 succeeded',
    'tools_end call_1 call_2',
  ])
})

test('[A2] a run continues by itself when the last open call is answered', () => {
  const { write, wanted } = scene(configWith(), client, ran('call_2'))

  expect(write(staged('call_1', 'yes'))).toEqual([
    'tool_result_staged call_1',
    'agent_start resume',
  ])
  expect(wanted()).toEqual(['finish_call call_1'])
  expect(write(given('call_1', 'yes'))).toEqual([
    'end call_1 succeeded',
    'tools_end call_1 call_2',
    'result call_1: yes',
    'result call_2: done',
    'turn_start 1',
  ])
})

test('[A2] it does not continue by itself while another call is open', () => {
  const two = [...accepted(call('call_1', 'ask'), call('call_2', 'ask'))]
  const { write } = scene(configWith(), two, prepared('call_1'), prepared('call_2'))

  expect(write(staged('call_2'))).toEqual(['tool_result_staged call_2'])
  expect(write(staged('call_1')).at(-1)).toBe('agent_start resume')
})

test('[I27] a run that resumes counts its turns from the start and runs no prompt hook', () => {
  const settings = configWith({ checksPrompts: true, maxTurns: 1 })
  const { write, wanted } = scene(settings, client, ran('call_2'))

  write(staged('call_1'))
  write(given('call_1'))

  expect(wanted()).toEqual([expect.stringMatching(/^ask_model run_\d+ 1 1$/)])
})

test('a call that waits for approval keeps the run open, and its siblings continue', () => {
  const { write, wanted } = scene(configWith(), accepted(call('call_1'), call('call_2')))

  expect(write(approvalAsked('call_1', { x: 1 }))).toEqual(['tool_approval_requested call_1'])
  expect(wanted()).toEqual(['prepare_call call_2'])
  write(ran('call_2'))
  expect(wanted()).toEqual([])
  expect(write(approvalGiven('call_1', 'approve'))).toEqual([
    'tool_approval_resolved call_1',
    'tool_prepared call_1',
  ])
  expect(wanted()).toEqual(['run_call call_1 1'])
})

test('[I17] an approved call runs with exactly the arguments that were shown', () => {
  const { write, effects, log } = scene(configWith(), accepted(call('call_1', 'add', '{"x":0}')))

  write(approvalAsked('call_1', { x: 1 }), approvalGiven('call_1', 'approve', { args: { x: 9 } }))

  expect(log.at(-1)).toMatchObject({ type: 'tool_prepared', effectiveArgs: { x: 1 } })
  expect(effects()).toMatchObject([{ type: 'run_call', args: { x: 1 } }])
})

test('[I17] arguments that a person edited are checked again, without the hook', () => {
  const { write, effects } = scene(configWith(), accepted(call('call_1')))

  const lines = write(approvalAsked('call_1'), approvalGiven('call_1', 'edit', { args: { x: 2 } }))

  expect(lines).toEqual(['tool_approval_requested call_1', 'tool_approval_resolved call_1'])
  expect(effects()).toEqual([{ type: 'prepare_call', toolCallId: 'call_1', isEdited: true }])
})

test.for([
  ['It costs too much', 'The user did not allow this call. It costs too much. It did not run.'],
  ['No!', 'The user did not allow this call. No! It did not run.'],
  [' ', 'The user did not allow this call. It did not run.'],
  [undefined, 'The user did not allow this call. It did not run.'],
])('[I17] [S004-7] a denied call does not run and the model reads why: %s', ([reason, words]) => {
  const { write, log } = scene(configWith(), accepted(call('call_1')))

  write(
    approvalAsked('call_1'),
    approvalGiven('call_1', 'deny', reason === undefined ? {} : { reason }),
  )

  expect(log.find(({ type }) => type === 'tool_execution_end')).toMatchObject({
    outcome: 'denied',
    errorKind: 'denied',
    isError: true,
    mayHaveRun: false,
    attempt: 0,
    result: { content: [text(words ?? '')] },
  })
})

test('[I34] an approval for other arguments than those that are shown changes nothing', () => {
  const { write, wanted } = scene(configWith(), accepted(call('call_1')), approvalAsked('call_1'))

  const lines = write(approvalGiven('call_1', 'approve', { argsDigest: 'old' }))

  expect(lines).toEqual(['tool_approval_resolved call_1'])
  expect(wanted()).toEqual([])
})

test('a run that does not wait for approvals ends, and continues when they are there', () => {
  const settings = configWith({ approvalMode: 'pause' })
  const { write, wanted, state } = scene(settings, accepted(call('call_1'), call('call_2')))

  expect(write(approvalAsked('call_1')).at(-1)).toBe('tool_approval_requested call_1')
  expect(write(ran('call_2')).slice(-2)).toEqual(['turn_end 1', 'agent_end awaiting_approval'])
  expect(statusOf(state())).toBe('awaiting_approval')

  expect(write(approvalGiven('call_1', 'approve'))).toEqual([
    'tool_approval_resolved call_1',
    'agent_start resume',
    'tool_prepared call_1',
  ])
  expect(wanted()).toEqual(['run_call call_1 1'])
  expect(write(dispatched('call_1'), ended('call_1')).slice(-3)).toEqual([
    'result call_1: done',
    'result call_2: done',
    'turn_start 1',
  ])
})

test('a paused run waits for all approvals, a client call among them', () => {
  const settings = configWith({ approvalMode: 'pause' })
  const calls = accepted(call('call_1'), call('call_2'), call('call_3', 'ask'))
  const { write } = scene(settings, calls, approvalAsked('call_1'), approvalAsked('call_2'))

  expect(write(prepared('call_3')).slice(-1)).toEqual(['agent_end awaiting_approval'])
  expect(write(approvalGiven('call_1', 'deny'))).toHaveLength(1)
  expect(write(staged('call_3', 'yes'))).toHaveLength(1)
  expect(write(approvalGiven('call_2', 'deny')).slice(1)).toEqual([
    'agent_start resume',
    'end call_1 denied',
    'end call_2 denied',
  ])
})

test('[I14] [A8] a call that waits for approval holds up the units after it', () => {
  const { write, wanted } = scene(configWith(), called('sequential', 'add', 'add'))

  write(approvalAsked('call_1'))
  expect(wanted()).toEqual([])
  expect(write(approvalGiven('call_1', 'deny'))).toEqual([
    'tool_approval_resolved call_1',
    'end call_1 denied',
    'start call_2',
  ])
})

test.for<[string, readonly Fact[]]>([
  ['waits to be allowed', [...accepted(call('call_1')), approvalAsked('call_1')]],
  ['waits for its answer', [...accepted(call('call_1', 'ask')), prepared('call_1')]],
  [
    'is allowed',
    [...accepted(call('call_1')), approvalAsked('call_1'), approvalGiven('call_1', 'approve')],
  ],
])('[I20] a call that %s is cancelled at once and did not run', ([, facts]) => {
  for (const stop of [aborted, cancelled('call_1')]) {
    const [end] = scene(configWith(), facts.slice(0, -1), facts.at(-1) ?? [], stop).log.filter(
      ({ type }) => type === 'tool_execution_end',
    )
    expect(end).toMatchObject({ outcome: 'cancelled', mayHaveRun: false })
  }
})

function given(toolCallId: string, words = 'done'): Fact {
  return ended(toolCallId, words, { attempt: 0, mayHaveRun: false })
}

/** Two calls in manual mode that were checked. */
function byHand(): Scene {
  const going = scene(manual, called('parallel', 'add', 'add'))
  going.write(prepared('call_1'), prepared('call_2'))
  return going
}

function denied(toolCallId: string): Fact {
  const words = 'The user did not allow this call. Not today. It did not run.'
  const changes = { outcome: 'denied', isError: true, errorKind: 'denied' } as const
  return ended(toolCallId, words, { ...changes, attempt: 0, mayHaveRun: false })
}

function saidIn(state: State) {
  return transcript(state, 1000).map(({ role, content }) => [role, content])
}
