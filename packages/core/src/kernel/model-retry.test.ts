import { expect, test } from 'vitest'
import { decide } from './decide.ts'
import type { RetryDelay } from './draft.ts'
import type { Fact } from './events.ts'
import {
  aborted,
  answer,
  answerStart,
  asked,
  call,
  didCall,
  modelRetry,
  opened,
  overloaded,
  stateOf,
  text,
  turnEnd,
  turnStart,
} from './log.fixtures.ts'
import { delayBefore } from './model-retry.ts'
import type { RunError, RunErrorKind } from './run-error.ts'
import { configWith, dueAfter, linesOf, scene } from './scene.fixtures.ts'
import { transcript } from './transcript.ts'

const policy = { maxAttempts: 4, baseMs: 1000, capMs: 30_000 }
const failing = (id: string, error: RunError = overloaded, words = ''): Fact[] =>
  answer(id, words === '' ? [] : [text(words)], { excluded: true, error, stopReason: 'error' })

test('[R1] a request that failed is repeated after a pause, in the same turn', () => {
  const { write, wanted, log } = scene(configWith(), asked())

  expect(write(failing('msg_2'))).toEqual(['assistant (excluded)', 'auto_retry_start model 2'])
  expect(log.at(-1)).toMatchObject({ scope: 'model', maxAttempts: 4, error: overloaded })
  expect(wanted()).toEqual(['ask_model run_1 1 2'])

  expect(write(answer('msg_3', [text('Hi.')]))).toEqual([
    'assistant',
    'auto_retry_end model 2 true',
    'turn_end 1',
    'agent_end stop',
  ])
})

test('the state shows the pause with its request, until the answer starts', () => {
  const waiting = [...asked(), ...failing('msg_2'), modelRetry({ delayMs: 700 })]

  const { effects, write } = scene(configWith(), waiting)

  expect(effects()).toEqual([
    { type: 'ask_model', runId: 'run_1', turn: 1, attempt: 2, delayMs: 700 },
  ])
  write(answerStart('msg_3'))
  expect(effects()).toEqual([
    { type: 'ask_model', runId: 'run_1', turn: 1, attempt: 2, delayMs: 0 },
  ])
})

test.for([
  [1, ['agent_end error']],
  [2, ['auto_retry_start model 2', 'auto_retry_end model 2 false', 'agent_end error']],
  [
    3,
    [
      'auto_retry_start model 2',
      'auto_retry_start model 3',
      'auto_retry_end model 3 false',
      'agent_end error',
    ],
  ],
] as const)('a request that always fails is sent %i times', ([maxAttempts, expected]) => {
  const going = scene(configWith({ retry: { ...policy, maxAttempts } }), asked())
  let asks = 0
  while (going.state().run) {
    asks += 1
    going.write(failing(`msg_a${asks}`))
  }

  expect(asks).toBe(maxAttempts)
  const logged = linesOf(going.log).filter((line) => /^auto_retry|^agent_end/.test(line))
  expect(logged).toEqual(expected)
  expect(going.state().lastRun).toMatchObject({ turns: 1, error: overloaded })
})

test('the end of the attempts states the last failure', () => {
  const { log } = scene(configWith(), asked(), failing('msg_2'), modelRetry({ attempt: 4 }), [
    modelRetry({ attempt: 4 }),
    modelRetry({ attempt: 4 }),
    ...failing('msg_3', { ...overloaded, message: 'Still busy.' }),
  ])

  expect(log.find(({ type }) => type === 'auto_retry_end')).toMatchObject({
    success: false,
    error: { message: 'Still busy.' },
  })
})

test.for<RunErrorKind>([
  'auth',
  'billing',
  'permission',
  'bad_request',
  'context_overflow',
  'too_large',
  'refusal',
  'cors',
  'storage',
  'internal',
])('[R3] [M4] a failure of the kind %s is final, even if it calls itself retryable', (kind) => {
  const error = { ...overloaded, kind }

  expect(dueAfter(configWith(), asked(), failing('msg_2', error))).toEqual([
    'turn_end 1',
    'agent_end error',
  ])
})

test.for<RunErrorKind>([
  'rate_limited',
  'overloaded',
  'network',
  'stalled',
  'timeout',
  'protocol',
  'truncated_stream',
])('[M4] a failure of the kind %s is tried again only if it is marked as retryable', (kind) => {
  const due = (retryable: boolean) =>
    dueAfter(configWith(), asked(), failing('msg_2', { ...overloaded, kind, retryable }))[0]

  expect([due(true), due(false)]).toEqual(['auto_retry_start model 2', 'turn_end 1'])
})

test('without a policy nothing is tried again', () => {
  expect(dueAfter(configWith({ retry: null }), asked(), failing('msg_2'))).toEqual([
    'turn_end 1',
    'agent_end error',
  ])
})

test('[R2] an answer of which people saw a part is replaced once', () => {
  const going = scene(configWith(), asked())

  expect(going.write(failing('msg_2', overloaded, 'Once')).at(-1)).toBe('auto_retry_start model 2')
  expect(going.write(failing('msg_3')).at(-1)).toBe('auto_retry_start model 3')
  expect(going.write(failing('msg_4', overloaded, 'Once upon')).at(-1)).toBe('agent_end error')
})

test('thinking and the start of a call count as seen, too', () => {
  const thinking = answer('msg_2', [{ type: 'thinking', text: 'Hm.' }], {
    excluded: true,
    error: overloaded,
  })
  const calling = answer('msg_3', [call('call_1')], { excluded: true, error: overloaded })

  const lines = dueAfter(configWith(), asked(), thinking, modelRetry(), calling)

  expect(lines.at(-1)).toBe('agent_end error')
})

test('every turn has attempts of its own', () => {
  const first = [...failing('msg_2', overloaded, 'Once'), modelRetry()]
  const retried = { type: 'auto_retry_end', scope: 'model', success: true, attempt: 2 } as const
  const second = [
    ...didCall('msg_3', 'call_1').slice(0, 2),
    retried,
    ...didCall('', 'call_1').slice(2),
  ]

  const { wanted, write } = scene(configWith(), asked(), first, second, turnEnd(), turnStart)

  expect(wanted()).toEqual(['ask_model run_1 2 1'])
  expect(write(failing('msg_8', overloaded, 'Once')).at(-1)).toBe('auto_retry_start model 2')
})

test.for<[number | undefined, RetryDelay]>([
  [undefined, { below: 1000 }],
  [0, { exactly: 0 }],
  [2500, { exactly: 2500 }],
  [60_000, { exactly: 60_000 }],
])('a server that asks for a pause of %s ms gets exactly that', ([retryAfterMs, expected]) => {
  const error = { ...overloaded, ...(retryAfterMs !== undefined && { retryAfterMs }) }

  const { facts } = decide(stateOf(asked(), failing('msg_2', error)), configWith())

  expect(facts).toMatchObject([{ type: 'auto_retry_start', delay: expected }])
})

test('[R3] if a server asks for more than a minute there is no second request', () => {
  const error = { ...overloaded, retryAfterMs: 60_001 }

  expect(dueAfter(configWith(), asked(), failing('msg_2', error)).at(-1)).toBe('agent_end error')
})

test.for<[number, number]>([
  [2, 1000],
  [3, 2000],
  [4, 4000],
  [6, 16_000],
  [7, 30_000],
  [5000, 30_000],
])('the pause before attempt %i is random, below %i ms', ([attempt, below]) => {
  expect(delayBefore(attempt, policy)).toEqual({ below })
})

test('a limit below the first pause is the pause', () => {
  expect(delayBefore(2, { ...policy, capMs: 10 })).toEqual({ below: 10 })
})

test('[I31] the usage of a turn is that of all its attempts', () => {
  const failed = answer('msg_2', [], {
    excluded: true,
    error: overloaded,
    usage: { inputTokens: 7, outputTokens: 1 },
  })
  const { write, log } = scene(configWith(), asked(), failed)

  write(answer('msg_3', [text('Hi.')], { usage: { inputTokens: 7, outputTokens: 2 } }))

  expect(log.at(-2)).toMatchObject({
    type: 'turn_end',
    usage: { inputTokens: 14, outputTokens: 3 },
  })
  expect(log.at(-1)).toMatchObject({
    type: 'agent_end',
    usage: { inputTokens: 14, outputTokens: 3 },
  })
})

test('[I22] attempts are no turns', () => {
  const { wanted } = scene(configWith(), asked('Go.', { maxTurns: 1 }), failing('msg_2'))

  expect(wanted()).toEqual(['ask_model run_1 1 2'])
})

test('[I37] failed attempts are left out of the conversation', () => {
  const { state } = scene(configWith(), asked(), failing('msg_2', overloaded, 'Once'), modelRetry())

  expect(transcript(state(), 1000).map(({ role }) => role)).toEqual(['user'])
})

test.for<[string, Fact, string]>([
  ['stopped', aborted, 'agent_end aborted'],
  ['lost', opened('boot_2'), 'agent_end interrupted'],
])('[I20] [I38] a run that is %s during a pause makes no further attempt', ([, fact, end]) => {
  const { write, wanted } = scene(configWith(), asked(), failing('msg_2'))

  expect(write(fact).slice(1)).toEqual(['auto_retry_end model 2 false', 'turn_end 1', end])
  expect(wanted()).toEqual([])
})

test('[I20] an attempt that fails after the abort is the last', () => {
  const { write } = scene(configWith(), asked(), answerStart('msg_2'))

  expect(write(aborted)).toEqual([
    'abort_requested',
    'assistant (excluded)',
    'turn_end 1',
    'agent_end aborted',
  ])
})
