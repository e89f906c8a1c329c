import { expect, test } from 'vitest'
import { decide } from './decide.ts'
import type { AgentEvent, Fact } from './events.ts'
import {
  aborted,
  accepted,
  agentEnd,
  agentStart,
  answer,
  answered,
  answerStart,
  asked,
  call,
  config,
  delivered,
  didCall,
  ended,
  handedOut,
  logOf,
  modelRetry,
  opened,
  overloaded,
  prepared,
  running,
  stateAfter,
  stateOf,
  step,
  streamed,
  text,
  toolMessage,
  toolsEnd,
  turnEnd,
  turnStart,
  usage,
} from './log.fixtures.ts'
import { createWriter } from './writer.fixtures.ts'

const nothing = { facts: [], effects: [] }
const endOfRun = { type: 'agent_end', maxTurnsReached: false, turns: 1, usage }
const once = { ...config, retry: null }
const ask = {
  facts: [],
  effects: [{ type: 'ask_model', runId: 'run_1', turn: 1, attempt: 1, delayMs: 0 }],
}

test.for<[string, readonly Fact[]]>([
  ['a log without events', []],
  ['a session without a run', [opened()]],
  ['a run that has ended', [...answered(text('Hi')), turnEnd(), agentEnd()]],
])('[I25] nothing follows from %s', ([, facts]) => {
  expect(decide(stateOf(facts), config)).toEqual(nothing)
})

test('a run starts with a turn', () => {
  const state = stateOf(opened(), agentStart())

  expect(decide(state, config)).toEqual({
    facts: [{ type: 'turn_start' }, prompt('Go.')],
    effects: [],
  })
})

test('a first turn that lacks its prompt gets it', () => {
  const state = stateOf(opened(), agentStart('Hello'), turnStart)

  expect(decide(state, config)).toEqual({ facts: [prompt('Hello')], effects: [] })
})

test('a run that continues has no prompt', () => {
  const { input: _input, ...start } = agentStart('', { trigger: 'continue' })
  const state = stateOf(opened(), start, turnStart)

  expect(decide(state, config)).toEqual(ask)
})

test('the request of a turn is one effect, for as long as the answer streams', () => {
  expect(decide(stateOf(asked()), config)).toEqual(ask)
  expect(decide(stateOf(asked(), answerStart('msg_2')), config)).toEqual(ask)
  expect(decide(stateOf(asked(), answerStart('msg_2'), streamed('msg_2', 'Hi')), config)).toEqual(
    ask,
  )
})

test('[I3] [I23] an answer without calls ends its turn and the run', () => {
  const facts = answered(text('Hi'))

  const endOfTurn = decide(stateOf(facts), config)
  const end = decide(stateOf(facts, turnEnd({ messageId: 'msg_2', stopReason: 'stop' })), config)

  expect(endOfTurn).toEqual({
    facts: [{ type: 'turn_end', messageId: 'msg_2', toolCallIds: [], usage, stopReason: 'stop' }],
    effects: [],
  })
  expect(end).toEqual({ facts: [{ ...endOfRun, reason: 'stop' }], effects: [] })
})

test.for([
  ['nothing', [], 'stop', 'empty_answer', 'The model answered nothing.'],
  ['white space', [text(' \n')], 'stop', 'empty_answer', 'The model answered nothing.'],
  [
    'thinking alone',
    [{ type: 'thinking', text: 'Hm.' }],
    'stop',
    'empty_answer',
    'The model answered nothing.',
  ],
  [
    'half of it',
    [text('Once upon')],
    'max_tokens',
    'cut_off',
    'The answer was cut off at its length limit.',
  ],
  [
    'what fits into its context',
    [text('Once upon')],
    'context_overflow',
    'cut_off',
    'The answer was cut off at its length limit.',
  ],
] as const)(
  '[I23] a model that answers %s stops with a warning',
  ([, content, stopReason, code, message]) => {
    const state = stateOf(asked(), answer('msg_2', content, { stopReason }), turnEnd())

    expect(decide(state, config).facts).toEqual([
      { type: 'warning', code, message },
      { ...endOfRun, reason: 'stop' },
    ])
  },
)

test('a model that refuses ends the run', () => {
  const state = stateOf(asked(), answer('msg_2', [], { stopReason: 'refusal' }), turnEnd())

  expect(decide(state, config).facts).toEqual([{ ...endOfRun, reason: 'refusal' }])
})

test('[I3] a model that fails ends the turn and the run, and says why', () => {
  const failed = answer('msg_2', [text('Ha')], {
    stopReason: 'error',
    excluded: true,
    error: overloaded,
  })

  const endOfTurn = decide(stateOf(asked(), failed), once)
  const end = decide(stateOf(asked(), failed, turnEnd()), once)

  expect(endOfTurn.facts).toMatchObject([{ type: 'turn_end', messageId: 'msg_2' }])
  expect(end.facts).toEqual([{ ...endOfRun, reason: 'error', error: overloaded }])
})

test('[I18] the calls of an answer that failed are dropped', () => {
  const failed = answer('msg_2', [call('call_1')], { excluded: true, error: overloaded })

  const { facts } = decide(stateOf(asked(), failed), once)

  expect(facts).toMatchObject([{ type: 'turn_end', toolCallIds: [] }])
})

test('[I31] the usage of a run is what its turns used', () => {
  const facts = [
    ...asked(),
    ...answer('msg_2', [call('call_1')], {
      usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 5 },
    }),
    ...handedOut(call('call_1')).slice(answered().length),
    ended('call_1'),
    toolsEnd(toolMessage('call_1')),
    ...delivered('msg_3', toolMessage('call_1')),
    turnEnd(),
    turnStart,
    ...answer('msg_4', [text('Hi')], { usage: { inputTokens: 30, outputTokens: 40 } }),
  ]

  const endOfTurn = decide(stateOf(facts), config)
  const end = decide(stateOf(facts, turnEnd()), config)

  expect(endOfTurn.facts).toMatchObject([{ usage: { inputTokens: 30, outputTokens: 40 } }])
  expect(end.facts).toMatchObject([
    { turns: 2, usage: { inputTokens: 31, outputTokens: 42, cacheReadTokens: 5 } },
  ])
})

test('[I22] a run ends at its last turn only if another was due', () => {
  const limited = asked('Go.', { maxTurns: 1 })
  const calling = [...didCall('msg_2', 'call_1'), turnEnd()]
  const talking = [...answer('msg_2', [text('Hi')]), turnEnd()]

  const due = decide(stateOf(limited, calling), config)
  const done = decide(stateOf(limited, talking), config)

  expect(due.facts).toEqual([
    {
      type: 'warning',
      code: 'max_turns',
      message: 'Stopped after 1 turn; the model had not finished.',
    },
    { ...endOfRun, reason: 'max_turns', maxTurnsReached: true },
  ])
  expect(done.facts).toEqual([{ ...endOfRun, reason: 'stop' }])
})

test.for([2, null])('[I22] a run with maxTurns %j continues after its first turn', (maxTurns) => {
  const state = stateOf(asked('Go.', { maxTurns }), didCall('msg_2', 'call_1'), turnEnd())

  expect(decide(state, config).facts).toEqual([{ type: 'turn_start' }])
})

test('[I22] every run counts its turns from the start', () => {
  const state = stateOf(
    asked('Go.', { maxTurns: 1 }),
    answer('msg_2', [text('Hi')]),
    turnEnd(),
    agentEnd(),
    agentStart('Again.', { maxTurns: 1 }),
  )

  expect(decide(state, config).facts).toEqual([{ type: 'turn_start' }, prompt('Again.')])
})

const inEveryStep: readonly [string, readonly Fact[], readonly string[]][] = [
  [
    'before its first turn',
    [opened(), agentStart()],
    ['turn_start', 'message_start', 'message_end', 'turn_end', 'agent_end'],
  ],
  [
    'before its prompt is written',
    [opened(), agentStart(), turnStart],
    ['message_start', 'message_end', 'turn_end', 'agent_end'],
  ],
  ['before the model is asked', asked(), ['turn_end', 'agent_end']],
  [
    'before the model has said anything',
    [...asked(), answerStart('msg_2')],
    ['message_end', 'turn_end', 'agent_end'],
  ],
  [
    'while the model answers',
    [...asked(), answerStart('msg_2'), ...streamed('msg_2', 'I was')],
    ['message_end', 'turn_end', 'agent_end'],
  ],
  ['when the model has answered', answered(text('Hi')), ['turn_end', 'agent_end']],
  [
    'before its calls are accepted',
    answered(call('call_1'), call('call_2')),
    [
      'tool_execution_start',
      'tool_execution_start',
      'tool_execution_end',
      'tool_execution_end',
      'tools_end',
      'message_start',
      'message_end',
      'message_start',
      'message_end',
      'turn_end',
      'agent_end',
    ],
  ],
  [
    'before its call is prepared',
    accepted(call('call_1')),
    ['tool_execution_end', 'tools_end', 'message_start', 'message_end', 'turn_end', 'agent_end'],
  ],
  [
    'when its call has ended',
    [...handedOut(call('call_1')), ended('call_1')],
    ['tools_end', 'message_start', 'message_end', 'turn_end', 'agent_end'],
  ],
  [
    'while results are delivered',
    [
      ...handedOut(call('call_1')),
      ended('call_1'),
      toolsEnd(toolMessage('call_1')),
      ...delivered('msg_3', toolMessage('call_1')),
    ],
    ['turn_end', 'agent_end'],
  ],
  ['between two turns', [...asked(), ...didCall('msg_2', 'call_1'), turnEnd()], ['agent_end']],
  [
    'between two turns, with a call that waits for its answer',
    [...accepted(call('call_1', 'ask')), prepared('call_1'), turnEnd()],
    ['tool_execution_end', 'tools_end', 'message_start', 'message_end', 'agent_end'],
  ],
  [
    'while it waits for another attempt',
    [...asked(), ...answer('msg_2', [], { excluded: true, error: overloaded }), modelRetry()],
    ['auto_retry_end', 'turn_end', 'agent_end'],
  ],
  [
    'while its history is summarised',
    [...asked(), { type: 'compaction_start', reason: 'threshold' }],
    ['compaction_end', 'turn_end', 'agent_end'],
  ],
]

test.for(inEveryStep)('[I20] a run that is aborted %s comes to its end', ([, facts, expected]) => {
  const rest = restOf([...facts, aborted])

  expect(rest.map((fact) => fact.type)).toEqual(expected)
  expect(rest.at(-1)).toMatchObject({ type: 'agent_end', reason: 'aborted' })
})

test('[I20] a stopped answer keeps its text and loses its calls and its thinking', () => {
  const state = stateOf(
    asked(),
    answerStart('msg_2'),
    step('msg_2', { type: 'thinking_start', contentIndex: 0 }),
    step('msg_2', { type: 'thinking_delta', contentIndex: 0, delta: 'Hm.' }),
    step('msg_2', { type: 'text_start', contentIndex: 1 }),
    step('msg_2', { type: 'text_delta', contentIndex: 1, delta: 'I was just' }),
    step('msg_2', {
      type: 'toolcall_start',
      contentIndex: 2,
      toolCallId: 'call_1',
      toolName: 'add',
    }),
    aborted,
  )

  const { facts } = decide(state, config)

  expect(facts).toEqual([
    {
      type: 'message_end',
      message: {
        id: 'msg_2',
        parentId: null,
        role: 'assistant',
        content: [text('I was just')],
        model: { provider: 'test', id: 'test-1' },
        stopReason: 'aborted',
      },
    },
  ])
})

test.for<[string, readonly Fact[]]>([
  ['nothing', []],
  ['an empty text', streamed('msg_2', '')],
  ['thinking', [step('msg_2', { type: 'thinking_start', contentIndex: 0 })]],
])('[I20] [I37] a stopped answer of %s is excluded', ([, steps]) => {
  const { facts } = decide(stateOf(asked(), answerStart('msg_2'), steps, aborted), config)

  expect(facts).toMatchObject([
    { type: 'message_end', excluded: true, message: { content: [], stopReason: 'aborted' } },
  ])
})

test('[I6] no event that may be lost changes what is due', () => {
  const log = logOf(
    asked(),
    answerStart('msg_2'),
    streamed('msg_2', 'Let me ', 'see.'),
    answer('msg_2', [call('call_1'), call('call_2')]).slice(1),
    handedOut(call('call_1'), call('call_2')).slice(asked().length + 2),
    running('call_2'),
    { type: 'tool_progress', toolCallId: 'call_2', toolName: 'add', value: 1 },
    { type: 'tool_log', toolCallId: 'call_2', lines: [], dropped: 2 },
  )

  for (const [index, event] of log.entries()) {
    if (event.sub === undefined) continue
    const before = decide(stateAfter(log.slice(0, index)), config)
    expect(decide(stateAfter(log.slice(0, index + 1)), config)).toEqual(before)
  }
})

test('the same state gives the same decision', () => {
  const state = stateOf(accepted(call('call_1'), call('call_2')))

  expect(decide(state, config)).toEqual(decide(structuredClone(state), config))
})

function prompt(words: string) {
  const message = { role: 'user', content: [text(words)], source: 'prompt' }
  return { type: 'whole_message', message }
}

/** All facts that follow from these, until none is due. */
function restOf(facts: readonly Fact[]): readonly AgentEvent[] {
  const before = logOf(facts)
  const writer = createWriter(before, config)
  expect(writer.settle()).toEqual([])
  return writer.log.slice(before.length)
}
