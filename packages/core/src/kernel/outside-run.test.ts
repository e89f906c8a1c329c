import { expect, test } from 'vitest'
import { decide } from './decide.ts'
import type { AgentEvent, Fact, ToolExecution } from './events.ts'
import type { KernelConfig } from './kernel-config.ts'
import {
  accepted,
  agentStart,
  answer,
  approvalAsked,
  approvalGiven,
  call,
  cancelled,
  dispatched,
  ended,
  goesOn,
  logOf,
  opened,
  prepared,
  queued,
  staged,
  starts,
  stateAfter,
  text,
} from './log.fixtures.ts'
import { cancelledByMove } from './outside-run.ts'
import {
  answerAll,
  called,
  configWith,
  dueAfter,
  linesOf,
  ran,
  type Scene,
  scene,
  sceneAfter,
} from './scene.fixtures.ts'
import { openCall } from './state.ts'
import { hasEnded, type ToolCall } from './tool-call.ts'
import { problemOf, transcript } from './transcript.ts'

const manual = configWith({ toolMode: 'manual' })
const gone = opened('boot_2')
const two = accepted(call('call_1'), call('call_2'))
/** Two calls that the page is to answer. */
const asksTwo = [
  ...accepted(call('call_1', 'ask'), call('call_2', 'ask')),
  ...[prepared('call_1'), prepared('call_2')],
]

test('[I25] nothing continues by itself before the log is opened', () => {
  const log = scene(configWith(), clientCalls(), ran('call_2')).log.slice(1)

  expect(decide(stateAfter(log), configWith()).facts).not.toContainEqual(
    expect.objectContaining({ type: 'agent_start' }),
  )
})

test('[S004-12] [A2] in manual mode nothing continues by itself', () => {
  const { write } = scene(manual, called('parallel', 'add'), [prepared('call_1')])

  expect(write(staged('call_1'))).toEqual(['tool_result_staged call_1'])
})

test('a run that continues by itself uses the current settings', () => {
  const settings = configWith({ maxTurns: 9, toolExecution: 'sequential' })
  const { write, log } = scene(settings, clientCalls(), ran('call_2'))

  write(staged('call_1'))

  expect(log.at(-1)).toMatchObject({ trigger: 'resume', maxTurns: 9, toolExecution: 'sequential' })
  expect(log.at(-1)).not.toHaveProperty('input')
})

test.for<[string, KernelConfig, readonly Fact[], readonly string[]]>([
  [
    'a client call',
    configWith(),
    [...clientCalls(), ...ran('call_2')],
    [
      'end call_1 cancelled',
      'tools_end call_1 call_2',
      'result call_1: Cancelled',
      'result call_2: done',
    ],
  ],
  [
    'calls that a person was to answer',
    manual,
    asksTwo,
    [
      'end call_1 cancelled',
      'end call_2 cancelled',
      'tools_end call_1 call_2',
      'result call_1: Cancelled',
      'result call_2: Cancelled',
    ],
  ],
  [
    'calls that a person was to answer, in auto mode',
    configWith(),
    asksTwo,
    [
      'end call_1 cancelled',
      'end call_2 cancelled',
      'tools_end call_1 call_2',
      'result call_1: Cancelled',
      'result call_2: Cancelled',
    ],
  ],
  [
    'a call that is not allowed yet',
    configWith({ approvalMode: 'pause' }),
    [...accepted(call('call_1')), approvalAsked('call_1')],
    ['end call_1 cancelled', 'tools_end call_1', 'result call_1: Cancelled'],
  ],
])('[I7] a new prompt cancels %s under its own turn 0', ([, settings, facts, expected]) => {
  const { write, log, wanted } = scene(settings, facts)
  const from = log.length

  const lines = write(agentStart('Never mind.'))

  expect(lines.map((line) => line.replace(/ by the user.*$/, ''))).toEqual([
    'agent_start prompt',
    ...expected,
    'turn_start 1',
    'user prompt: Never mind.',
  ])
  expect(log.slice(from).findLast((event) => event.turn === 0)?.type).toBe('message_end')
  expect(wanted()).toEqual([expect.stringMatching(/^ask_model run_\d+ 1 1$/)])
})

test('[I7] a new prompt keeps an answer that was there already, and cancels its sibling', () => {
  const { write, wanted } = scene(manual, asksTwo)
  write(staged('call_1'))

  const lines = write(agentStart('Never mind.'))

  expect(lines).toContain('end call_2 cancelled')
  expect(lines).not.toContain('end call_1 cancelled')
  expect(wanted()).toEqual(['finish_call call_1'])
})

test('an answer that was there already is not skipped because of steering', () => {
  const { write, wanted } = byHand('sequential', 'add', 'add', 'add')
  write(staged('call_1'), staged('call_3'), queued({ steering: ['Wait.'] }), cancelled('call_2'))

  write(goesOn())

  expect(wanted()).toEqual(['finish_call call_1', 'finish_call call_3'])
  const lines = write(ended('call_1'), ended('call_3'))
  expect(lines.filter((line) => line.includes('skipped'))).toEqual([])
})

test('[I32] a call that waits for people does not run by itself when the mode changes', () => {
  const going = byHand('parallel', 'add', 'add')
  going.write(staged('call_1'))

  expect(decide(going.state(), configWith({ toolMode: 'auto' }))).toEqual({
    facts: [],
    effects: [],
  })
  going.write(staged('call_2'))
  expect(decide(going.state(), configWith({ toolMode: 'auto' })).facts).toMatchObject([
    { type: 'agent_start', trigger: 'resume' },
  ])
})

test('[I7] a new prompt cancels what is open also while messages are queued', () => {
  const settings = configWith({ toolMode: 'manual' })
  const { write, wanted } = scene(
    settings,
    called('sequential', 'add', 'add'),
    queued({ steering: ['s'] }),
  )

  const lines = write(agentStart('Never mind.'))

  expect(lines.filter((line) => line.startsWith('end'))).toEqual([
    'end call_1 cancelled',
    'end call_2 cancelled',
  ])
  expect(wanted()).toEqual([expect.stringMatching(/^ask_model/)])
})

test('[I7] [I11] a call of a later unit that is cancelled gets its start before its end', () => {
  const { write, log } = scene(configWith(), called('sequential', 'add', 'add'))
  expect(write(cancelled('call_2'))).toEqual(['tool_cancel_requested call_2'])

  write(ran('call_1'))

  expect(linesOf(log).filter((line) => line.includes('call_2'))).toEqual([
    'tool_cancel_requested call_2',
    'start call_2',
    'end call_2 cancelled',
    'tools_end call_1 call_2',
    expect.stringMatching(/^result call_2: Cancelled by the user before it started/),
  ])
})

test('[I37] open calls are closed outside a run before the head moves', () => {
  const { write, log, state } = scene(configWith(), clientCalls(), ran('call_2'))
  const from = log.length

  const lines = write({ type: 'tool_cancel_requested', toolCallId: 'call_1', by: cancelledByMove })

  expect(lines.slice(1, 3)).toEqual(['end call_1 cancelled', 'tools_end call_1 call_2'])
  expect(log.slice(from).every(({ runId, turn }) => runId === null && turn === 0)).toBe(true)
  expect(state().batch).toBeNull()
  expect(write({ type: 'head_moved', messageId: 'msg_1' })).toEqual(['head_moved'])
})

test('[I37] calls without a start are started and closed before the head moves', () => {
  const { write } = scene(
    configWith({ approvalMode: 'pause' }),
    called('sequential', 'add', 'add'),
    starts(call('call_1')),
    [approvalAsked('call_1')],
  )

  const lines = write(
    ['call_1', 'call_2'].map((toolCallId) => ({
      type: 'tool_cancel_requested',
      toolCallId,
      by: cancelledByMove,
    })),
  )

  expect(lines.slice(2, 7)).toEqual([
    'start call_2',
    'end call_1 cancelled',
    'end call_2 cancelled',
    'tools_end call_1 call_2',
    expect.stringMatching(/^result call_1: Cancelled/),
  ])
})

/** The prefixes of a log, each with the reason with which a run that is lost there ends, and what then continues. */
test('[I29] [I38] [D49] a page that goes away at any moment of an approval', () => {
  const rows = [
    ['tool_execution_start call_1, call_2', 'interrupted', null],
    ['tool_approval_requested call_1', 'awaiting_approval', null],
    ['tool_prepared call_2', 'awaiting_approval', null],
    ['tool_dispatched call_2', 'awaiting_approval', null],
    ['end call_2', 'awaiting_approval', null],
    ['tool_approval_resolved call_1', 'awaiting_approval', 'run_call call_1 1'],
    ['tool_prepared call_1', 'interrupted', null],
    ['tool_dispatched call_1', 'interrupted', null],
    ['end call_1', 'interrupted', null],
  ]
  const facts = [
    approvalAsked('call_1'),
    prepared('call_2'),
    dispatched('call_2'),
    ended('call_2'),
    approvalGiven('call_1', 'approve'),
    prepared('call_1'),
    dispatched('call_1'),
    ended('call_1'),
  ]

  const reached = facts.map((_, index) => outcomeOf([...two, ...facts.slice(0, index + 1)]))

  expect([outcomeOf(two), ...reached]).toEqual(rows.map(([, ...fate]) => fate))
})

test('[I29] [I38] [D49] a page that goes away at any moment of a client call', () => {
  const facts = [
    ...ran('call_2'),
    staged('call_1'),
    ended('call_1', 'yes', { attempt: 0, mayHaveRun: false }),
  ]

  const reached = facts.map((_, index) =>
    outcomeOf([...clientCalls(), ...facts.slice(0, index + 1)]),
  )

  expect(reached).toEqual([
    ['awaiting_tool_results', null],
    ['awaiting_tool_results', null],
    ['awaiting_tool_results', null],
    ['awaiting_tool_results', 'finish_call call_1'],
    ['interrupted', null],
  ])
})

test.for<[string, readonly Fact[]]>([
  ['not answered', []],
  ['answered in part', [staged('call_1')]],
  ['answered', [staged('call_1'), staged('call_2')]],
])(
  '[I29] [I32] [I38] a page that goes away in manual mode leaves its calls to people: %s',
  ([, facts]) => {
    const lines = dueAfter(manual, asksTwo, facts, gone)

    expect(lines).toEqual(['turn_end 1', 'agent_end awaiting_tool_results'])
  },
)

test('[I29] pending approvals are requested again, for the same arguments', () => {
  const held = [...accepted(call('call_1')), approvalAsked('call_1', { x: 1 })]
  const { state, write, effects } = scene(configWith(), held, gone)

  expect(state().lastRun?.reason).toBe('awaiting_approval')
  expect(openCall(state(), 'call_1')?.stage).toMatchObject({
    kind: 'awaiting_approval',
    approvalArgs: { x: 1 },
  })
  expect(write(approvalGiven('call_1', 'approve')).slice(1)).toEqual([
    'agent_start resume',
    'tool_prepared call_1',
  ])
  expect(effects()).toMatchObject([{ type: 'run_call', args: { x: 1 }, attempt: 1 }])
})

test.for<[string, KernelConfig, readonly (readonly Fact[])[]]>([
  [
    'an approval',
    configWith(),
    [
      two,
      [approvalAsked('call_1')],
      ran('call_2'),
      [approvalGiven('call_1', 'approve')],
      [dispatched('call_1'), ended('call_1')],
    ],
  ],
  [
    'an approval that the run does not wait for',
    configWith({ approvalMode: 'pause' }),
    [
      two,
      [approvalAsked('call_1')],
      ran('call_2'),
      [approvalGiven('call_1', 'approve')],
      [dispatched('call_1'), ended('call_1')],
    ],
  ],
  [
    'a client call',
    configWith(),
    [
      clientCalls(),
      ran('call_2'),
      [staged('call_1', 'yes')],
      [ended('call_1', 'yes', { attempt: 0, mayHaveRun: false })],
    ],
  ],
  [
    'calls that people answer',
    manual,
    [
      called('parallel', 'add', 'add'),
      [staged('call_1'), staged('call_2')],
      [goesOn()],
      [ended('call_1'), ended('call_2')],
    ],
  ],
])(
  '[I7] [I28] [I29] [I38] a session with %s can be continued from every prefix',
  ([, settings, parts]) => {
    const [first = [], ...later] = parts
    const going = scene(settings, first)
    for (const part of later) going.write(part)
    answerAll(going)
    expect(going.state()).toMatchObject({ run: null, batch: null })

    for (let length = 1; length <= going.log.length; length += 1) {
      const before = going.log.slice(0, length)
      const after = sceneAfter(before, settings)
      after.write(gone)
      const dispatchedBefore = callsWith(before, 'tool_dispatched')
      expect(after.log.slice(0, length)).toEqual(before)
      expect(after.state().run === null || after.state().run?.trigger === 'resume').toBe(true)
      expect(problemOf(transcript(after.state(), 1000))).toBeNull()

      finish(after)

      expect(after.state()).toMatchObject({ run: null, batch: null, openMessage: null })
      const dispatches = callsWith(after.log, 'tool_dispatched')
      expect(dispatches.slice(0, dispatchedBefore.length)).toEqual(dispatchedBefore)
      expect(new Set(dispatches).size).toBe(dispatches.length)
      const known = callsWith(after.log, 'tool_execution_start').toSorted()
      expect(new Set(known).size).toBe(known.length)
      expect(callsWith(after.log, 'tool_execution_end').toSorted()).toEqual(known)
      expect(problemOf(transcript(after.state(), 1000))).toBeNull()
    }
  },
)

/** A session in manual mode whose calls of these tools were checked. */
function byHand(toolExecution: ToolExecution, ...names: readonly string[]): Scene {
  const going = scene(manual, called(toolExecution, ...names))
  for (const index of names.keys()) going.write(prepared(`call_${index + 1}`))
  return going
}

function clientCalls(): Fact[] {
  return [...accepted(call('call_1', 'ask'), call('call_2')), prepared('call_1')]
}

/** How a run that is lost after these facts ends, and which effects are wanted then. */
function outcomeOf(facts: readonly Fact[], settings = configWith()) {
  const { log, wanted } = sceneAfter([...logOf(facts, gone)], settings)
  const end = log.find((event) => event.type === 'agent_end')
  return [end?.reason, wanted().find((key) => !key.startsWith('ask_model')) ?? null]
}

/** Performs the wanted effects and answers what is open, until there is nothing. */
function finish({ state, write, effects }: Scene): void {
  for (let steps = 0; steps < 50; steps += 1) {
    const [effect] = effects()
    const open = state().batch?.calls.filter((one) => !hasEnded(one)) ?? []
    if (effect?.type === 'ask_model') write(answer(`msg_b${steps}`, [text('Hi.')]))
    else if (effect?.type === 'run_call')
      write(dispatched(effect.toolCallId, effect.attempt), ended(effect.toolCallId))
    else if (effect?.type === 'finish_call') write(ended(effect.toolCallId))
    else if (open.length > 0) write(...open.flatMap(answerOf), state().run ? [] : goesOn())
    else return
  }
  throw new Error('It never ends.')
}

function answerOf({ toolCallId, stage }: ToolCall): Fact[] {
  return [
    stage.kind === 'awaiting_approval' ? approvalGiven(toolCallId, 'approve') : staged(toolCallId),
  ]
}

function callsWith(log: readonly AgentEvent[], type: AgentEvent['type']): string[] {
  return log.flatMap((event) =>
    event.type === type && 'toolCallId' in event && event.toolCallId !== undefined
      ? [event.toolCallId]
      : [],
  )
}

test('calls that a new prompt cancels are no sign of a loop', () => {
  const settings = configWith({ toolMode: 'manual', loop: { noteAt: 2, stopAt: 2 } })
  const { write } = scene(settings, called('parallel', 'add', 'add'))

  const lines = write(agentStart('Never mind.'))

  expect(lines.filter((line) => line.startsWith('loop_detected'))).toEqual([])
  expect(lines.at(-1)).toBe('user prompt: Never mind.')
})
