import { expect, test } from 'vitest'
import { decide } from './decide.ts'
import type { Fact } from './events.ts'
import {
  aborted,
  accepted,
  answer,
  answered,
  asked,
  call,
  cancelled,
  config,
  delivered,
  dispatched,
  ended,
  handedOut,
  logOf,
  prepared,
  resultOf,
  running,
  starts,
  stateOf,
  text,
  timing,
  toolMessage,
  toolsEnd,
  turnEnd,
  usage,
} from './log.fixtures.ts'
import { problemOf, transcript } from './transcript.ts'
import { createWriter } from './writer.fixtures.ts'

const two = [call('call_1', 'add', '{"a":1}'), call('call_2', 'draw')] as const

function runCall(toolCallId: string) {
  return { type: 'run_call', toolCallId, attempt: 1, delayMs: 0, args: {}, stop: false }
}

test('[I8] [I9] every call of an answer gets its start, in call order, before anything else', () => {
  const state = stateOf(answered(text('Let me see.'), ...two))

  expect(decide(state, config)).toEqual({
    facts: [
      {
        type: 'tool_execution_start',
        toolCallId: 'call_1',
        toolName: 'add',
        label: 'Add',
        args: { a: 1 },
        index: 0,
        batchSize: 2,
        place: 'worker',
      },
      {
        type: 'tool_execution_start',
        toolCallId: 'call_2',
        toolName: 'draw',
        label: 'Draw',
        args: {},
        index: 1,
        batchSize: 2,
        place: 'page',
      },
    ],
    effects: [],
  })
})

test('[L4] calls are prepared one by one, in call order', () => {
  const prepare = { type: 'prepare_call', toolCallId: 'call_1', isEdited: false }
  expect(decide(stateOf(accepted(...two)), config)).toEqual({ facts: [], effects: [prepare] })

  const next = decide(stateOf(accepted(...two), prepared('call_1', { a: 1 })), config)

  expect(next).toEqual({
    facts: [],
    effects: [
      { type: 'prepare_call', toolCallId: 'call_2', isEdited: false },
      { ...runCall('call_1'), args: { a: 1 } },
    ],
  })
})

test('[I14] all calls that are prepared run at once, and each is the same effect to its end', () => {
  const runBoth = [runCall('call_1'), runCall('call_2')]
  const ready = [...accepted(...two), prepared('call_1'), prepared('call_2')]

  const moments = [
    decide(stateOf(ready), config),
    decide(stateOf(ready, dispatched('call_2')), config),
    decide(stateOf(ready, dispatched('call_2'), running('call_2'), dispatched('call_1')), config),
  ]

  for (const moment of moments) expect(moment).toEqual({ facts: [], effects: runBoth })
})

test('[I11] [I15] a call that has ended, in any way, leaves its siblings alone', () => {
  const crash = ended('call_1', 'The tool crashed (…).', {
    isError: true,
    outcome: 'failed',
    errorKind: 'crashed',
  })
  const state = stateOf(handedOut(...two), crash)

  expect(decide(state, config)).toEqual({
    facts: [],
    effects: [runCall('call_2')],
  })
})

test('[I12] after all ends, in any order, tools_end is written once with what the model will read', () => {
  const state = stateOf(
    handedOut(...two),
    ended('call_2', 'drawn', {
      toolName: 'draw',
      result: { ...resultOf('drawn'), details: { pixels: 9 } },
    }),
    ended('call_1', 'a is missing', { isError: true, outcome: 'failed', errorKind: 'failed' }),
  )

  expect(decide(state, config)).toEqual({
    facts: [
      {
        type: 'tools_end',
        toolCallIds: ['call_1', 'call_2'],
        toolMessages: [
          {
            toolCallId: 'call_1',
            toolName: 'add',
            content: [text('a is missing')],
            isError: true,
          },
          { toolCallId: 'call_2', toolName: 'draw', content: [text('drawn')], isError: false },
        ],
        executionResults: [
          {
            toolCallId: 'call_1',
            toolName: 'add',
            outcome: 'failed',
            isError: true,
            errorKind: 'failed',
            timing,
          },
          { toolCallId: 'call_2', toolName: 'draw', outcome: 'succeeded', isError: false, timing },
        ],
        terminate: false,
      },
    ],
    effects: [],
  })
})

test('[I12] [I13] the results follow in call order, then the turn ends and the next starts', () => {
  const one = toolMessage('call_1', 'one')
  const other = toolMessage('call_2', 'two')
  const settled = [
    ...handedOut(...two),
    ended('call_2', 'two'),
    ended('call_1', 'one'),
    toolsEnd(one, other),
  ]
  const all = [...settled, ...delivered('msg_3', one), ...delivered('msg_4', other)]
  const end = {
    type: 'turn_end',
    messageId: 'msg_2',
    toolCallIds: ['call_1', 'call_2'],
    usage,
    stopReason: 'tool_use',
  }

  const due = [settled, [...settled, ...delivered('msg_3', one)], all, [...all, turnEnd()]].map(
    (facts) => decide(stateOf(facts), config).facts,
  )

  expect(due).toEqual([
    [{ type: 'whole_message', message: { role: 'toolResult', ...one } }],
    [{ type: 'whole_message', message: { role: 'toolResult', ...other } }],
    [end],
    [{ type: 'turn_start' }],
  ])
})

test('[I19] tools_end and the result message hold what fits, the end holds all', () => {
  const state = stateOf(handedOut(call('call_1')), ended('call_1', 'a'.repeat(500)))

  const { facts } = decide(state, { ...config, maxToolResultChars: 100 })

  expect(facts).toMatchObject([
    {
      toolMessages: [
        { content: [{ text: expect.stringMatching(/^a+\n\[… \d+ characters cut …\]\na+$/) }] },
      ],
    },
  ])
})

test.for([
  ['all', [true, true], true],
  ['one', [true, false], false],
  ['none', [false, false], false],
] as const)(
  '[I24] a batch in which %s of the results say so terminates the run: %j',
  ([, says, expected]) => {
    const end = (toolCallId: string, terminate: boolean) =>
      ended(toolCallId, '', { result: { ...resultOf(''), terminate } })
    const state = stateOf(handedOut(...two), end('call_1', says[0]), end('call_2', says[1]))

    expect(decide(state, config).facts).toMatchObject([{ terminate: expected }])
  },
)

test('[I24] a run ends as terminated when its batch says so', () => {
  const result = toolMessage('call_1')
  const state = stateOf(
    handedOut(call('call_1')),
    ended('call_1', 'done', { result: { ...resultOf('done'), terminate: true } }),
    { ...toolsEnd(result), terminate: true },
    delivered('msg_3', result),
    turnEnd(),
  )

  expect(decide(state, config).facts).toMatchObject([{ type: 'agent_end', reason: 'terminated' }])
})

test.for(['missing', 'constructor', '__proto__', 'toString', ''])(
  'a tool named %j is not found, and the model reads which tools there are',
  (toolName) => {
    const state = stateOf(accepted(call('call_1', toolName)))

    expect(decide(state, config)).toEqual({
      facts: [
        {
          type: 'tool_execution_end',
          toolCallId: 'call_1',
          toolName,
          attempt: 0,
          result: {
            content: [
              text(
                `No tool named "${toolName}". Available: add, draw, alone, ask. It did not run.`,
              ),
            ],
          },
          isError: true,
          outcome: 'failed',
          errorKind: 'not_found',
          mayHaveRun: false,
        },
      ],
      effects: [],
    })
  },
)

test.for([
  ['[]', 'they are not an object'],
  ['null', 'they are not an object'],
  ['"{}"', 'they are not an object'],
  ['{', 'they are not valid JSON'],
  ['{"a":1e999}', 'they are too deep or a number is too large'],
] as const)('arguments %j end their call; its start shows them as they are', ([argsText, why]) => {
  const made = answered(call('call_1', 'add', argsText))
  const [start] = decide(stateOf(made), config).facts
  const state = stateOf(made, start?.type === 'tool_execution_start' ? start : [])

  expect(start).toMatchObject({ args: argsText })
  expect(decide(state, config)).toMatchObject({
    facts: [
      {
        type: 'tool_execution_end',
        result: { content: [text(`Invalid arguments: ${why}. It did not run.`)] },
        errorKind: 'invalid_args',
        mayHaveRun: false,
      },
    ],
    effects: [],
  })
})

test('no arguments at all are an empty object', () => {
  const made = answered(call('call_1', 'add', ''))

  expect(decide(stateOf(made), config).facts).toMatchObject([{ args: {} }])
})

test('calls are checked one by one: a bad call waits until those before it are prepared', () => {
  const calls = [
    call('call_1'),
    call('call_2', 'missing'),
    call('call_3', 'missing'),
    call('call_4'),
    call('call_5', 'missing'),
  ]

  const waits = decide(stateOf(accepted(...calls)), config)
  const second = decide(stateOf(accepted(...calls), prepared('call_1')), config)

  expect(waits).toEqual({
    facts: [],
    effects: [{ type: 'prepare_call', toolCallId: 'call_1', isEdited: false }],
  })
  expect(second.facts).toMatchObject([
    { type: 'tool_execution_end', toolCallId: 'call_2' },
    { type: 'tool_execution_end', toolCallId: 'call_3' },
  ])
})

test.for(['max_tokens', 'context_overflow', 'stop', 'pause_turn', 'refusal'] as const)(
  '[I18] an answer that ends with %s runs nothing and answers every call',
  (stopReason) => {
    const writer = createWriter(
      logOf(
        asked(),
        answer('msg_2', [call('call_1'), call('call_2', 'missing', '{')], { stopReason }),
      ),
      config,
    )

    const effects = writer.settle()

    const ends = writer.log.filter((event) => event.type === 'tool_execution_end')
    const cutOff = 'Not run: the answer was cut off before this call was complete.'
    expect(ends.map(({ result, errorKind }) => [result.content, errorKind])).toEqual([
      [[text(cutOff)], 'truncated_call'],
      [[text(cutOff)], 'truncated_call'],
    ])
    // After these ends, except a refusal, the model may try again.
    expect(effects).toHaveLength(stopReason === 'refusal' ? 0 : 1)
  },
)

test('calls beyond the limit are answered and do not run', () => {
  const calls = Array.from({ length: 66 }, (_, index) => call(`call_${index}`))
  const writer = createWriter(
    logOf(
      accepted(...calls),
      calls.slice(0, 64).map(({ toolCallId }) => prepared(toolCallId)),
    ),
    config,
  )

  const effects = writer.settle()

  const ends = writer.log.filter((event) => event.type === 'tool_execution_end')
  expect(effects).toHaveLength(64)
  expect(
    ends.map(({ toolCallId, result, errorKind }) => [toolCallId, result.content, errorKind]),
  ).toEqual(
    ['call_64', 'call_65'].map((toolCallId) => [
      toolCallId,
      [text('Not run: limit of 64 tool calls per turn reached.')],
      'limit',
    ]),
  )
})

const beforeDispatch: readonly [string, readonly Fact[]][] = [
  ['merely accepted', accepted(call('call_1'))],
  ['prepared and waiting for a slot', [...accepted(call('call_1')), prepared('call_1')]],
]

test.for(beforeDispatch)('a call that was %s is cancelled at once and did not run', ([, facts]) => {
  const state = stateOf(facts, cancelled('call_1'))

  expect(decide(state, config)).toEqual({
    facts: [
      {
        type: 'tool_execution_end',
        toolCallId: 'call_1',
        toolName: 'add',
        attempt: 0,
        result: { content: [text('Cancelled by the user before it started. It did not run.')] },
        isError: true,
        outcome: 'cancelled',
        errorKind: 'cancelled',
        mayHaveRun: false,
      },
    ],
    effects: [],
  })
})

test('a call that was dispatched is aborted; its siblings and the run continue', () => {
  const state = stateOf(handedOut(...two), running('call_1'), cancelled('call_1'))

  expect(decide(state, config)).toEqual({
    facts: [],
    effects: [{ ...runCall('call_1'), stop: true }, runCall('call_2')],
  })
})

test('[I20] an abort stops what was dispatched and cancels the rest at once', () => {
  const calls = [...two, call('call_3'), call('call_4')]
  const facts = [
    ...accepted(...calls),
    prepared('call_1'),
    dispatched('call_1'),
    prepared('call_2'),
    aborted,
  ]

  const due = decide(stateOf(facts), config)
  const ends = ['call_2', 'call_3', 'call_4'].map((id) => ended(id, '', { outcome: 'cancelled' }))
  const rest = decide(stateOf(facts, ends), config)

  expect(due.facts).toMatchObject([
    { toolCallId: 'call_2', outcome: 'cancelled', mayHaveRun: false },
    { toolCallId: 'call_3', outcome: 'cancelled', mayHaveRun: false },
    { toolCallId: 'call_4', outcome: 'cancelled', mayHaveRun: false },
  ])
  expect(rest).toEqual({
    facts: [],
    effects: [{ ...runCall('call_1'), stop: true }],
  })
})

test('[I20] an abort keeps the results of siblings that have ended', () => {
  const state = stateOf(
    handedOut(...two),
    ended('call_1', 'kept'),
    aborted,
    ended('call_2', 'stopped', { isError: true, outcome: 'cancelled', errorKind: 'cancelled' }),
  )

  expect(decide(state, config).facts).toMatchObject([
    {
      type: 'tools_end',
      toolMessages: [
        { content: [text('kept')], isError: false },
        { content: [text('stopped')], isError: true },
      ],
    },
  ])
})

test('[I20] calls that come after an abort are cancelled too', () => {
  const state = stateOf(
    asked(),
    answer('msg_2', []).slice(0, 1),
    aborted,
    answer('msg_2', [call('call_1')]).slice(1),
    starts(call('call_1')),
  )

  expect(decide(state, config)).toMatchObject({
    facts: [{ type: 'tool_execution_end', outcome: 'cancelled', mayHaveRun: false }],
    effects: [],
  })
})

test('[I7] an id that an answer uses twice is one call, and the answer is not sent back', () => {
  const writer = createWriter(logOf(answered(call('call_1'), call('call_1', 'draw'))), config)

  const effects = writer.settle()

  expect(effects).toEqual([{ type: 'prepare_call', toolCallId: 'call_1', isEdited: false }])
  expect(problemOf(transcript(writer.state(), config.maxToolResultChars))).toBe(
    'The call id call_1 is used twice.',
  )
})
