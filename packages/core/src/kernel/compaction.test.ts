import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coveredBy, firstKept } from './compaction.ts'
import type { Fact } from './events.ts'
import { contextTokens, lengthOf, toTokens } from './length.ts'
import {
  aborted,
  agentEnd,
  agentStart,
  answer,
  asked,
  call,
  didCall,
  opened,
  queued,
  said,
  stateOf,
  text,
  turnEnd,
  turnStart,
} from './log.fixtures.ts'
import type { Message } from './message.ts'
import type { RunError } from './run-error.ts'
import { configWith, dueAfter, scene } from './scene.fixtures.ts'
import { problemOf, transcript } from './transcript.ts'

/** A conversation in which every message is 40 characters, that is 10 tokens, long. */
const long = (n: number) => `${n} `.padEnd(40, 'x')
const talk = (turns: number): Fact[] => [
  opened(),
  ...Array.from({ length: turns }, (_, n) => [
    agentStart(long(n)),
    turnStart,
    ...said(`q_${n}`, long(n)),
    ...answer(`a_${n}`, [text(long(n))]),
    turnEnd(),
    agentEnd(),
  ]).flat(),
]
const asking = [agentStart('Now?'), turnStart, ...said('now', 'Now?')]
const compaction = { thresholdTokens: 50, keepTokens: 15 }
const settings = configWith({ compaction })
const overflow: RunError = { kind: 'context_overflow', message: 'Too long.', retryable: false }
const overflown = answer('msg_o', [], { excluded: true, error: overflow, stopReason: 'error' })
const summarised = (firstKeptMessageId: string): Fact => ({
  type: 'compaction_end',
  aborted: false,
  result: { summary: 'Talk.', firstKeptMessageId, tokensBefore: 60, tokensAfter: 20 },
})

test.for<[number, string | null]>([
  [1, null],
  [2, null],
  [3, 'compaction_start'],
])('a history of %i prompts and answers is summarised before the request: %s', ([turns, due]) => {
  const lines = dueAfter(settings, talk(turns), asking)

  expect(lines).toEqual(due === null ? [] : [due])
})

test('a history that is just as long as it may be is left alone', () => {
  const exact = configWith({ compaction: { ...compaction, thresholdTokens: 61 } })
  const above = configWith({ compaction: { ...compaction, thresholdTokens: 60 } })

  expect(dueAfter(exact, talk(3), asking)).toEqual([])
  expect(dueAfter(above, talk(3), asking)).toEqual(['compaction_start'])
})

test('without settings nothing is ever summarised', () => {
  expect(dueAfter(configWith(), talk(30), asking)).toEqual([])
})

test('[I37] a summary is made once in a turn; then the request is sent', () => {
  const { wanted, write, state } = scene(settings, talk(3), asking)
  expect(wanted()).toEqual(['compact run_4 1'])
  expect(state().run?.step).toEqual({ kind: 'compacting' })

  // The summary did not help: the history is still too long.
  expect(write({ type: 'compaction_end', aborted: false, error: overflow })).toEqual([
    'compaction_end',
  ])
  expect(wanted()).toEqual(['ask_model run_4 1 1'])
})

test('a summary that helped is not made again in the next turn', () => {
  const { write, wanted } = scene(settings, talk(3), asking)

  write(summarised('a_2'))
  write(didCall('c', 'call_1'))

  expect(wanted()).toEqual(['ask_model run_4 2 1'])
})

test('a history that grew again is summarised again, in a later turn', () => {
  const { write, wanted } = scene(
    settings,
    talk(3),
    asking,
    queued({ followUp: ['x'.repeat(200)] }),
  )

  write(summarised('a_2'))
  write(answer('b', [text('Hi.')]))

  expect(wanted()).toEqual(['compact run_4 2'])
})

test('[I37] after a refusal as too long the model gets a request with a summary', () => {
  const never = configWith({ compaction: { ...compaction, thresholdTokens: 1e9 } })
  const { write, wanted, state } = scene(never, talk(3), asking)

  expect(write(overflown)).toEqual(['assistant (excluded)', 'compaction_start'])
  expect(state().run?.step).toEqual({ kind: 'compacting' })
  write(summarised('a_2'))
  expect(wanted()).toEqual([expect.stringMatching(/^ask_model run_4 1 /)])
  // Another summary would help no more than the first.
  expect(write(overflown).slice(-2)).toEqual(['turn_end 1', 'agent_end error'])
  expect(state().lastRun?.error).toEqual(overflow)
})

test('a history that cannot be cut is not summarised, and its refusal is final', () => {
  const lines = dueAfter(settings, [opened(), ...asking], overflown)

  expect(lines).toEqual(['turn_end 1', 'agent_end error'])
})

test.for<[string, Fact, string]>([
  ['stopped', aborted, 'agent_end aborted'],
  ['lost', opened('boot_2'), 'agent_end interrupted'],
])(
  '[I20] [I38] a run that is %s while its history is summarised drops the summary',
  ([, fact, end]) => {
    const { write, wanted } = scene(settings, talk(3), asking)

    expect(write(fact).slice(1)).toEqual(['compaction_end', 'turn_end 1', end])
    expect(wanted()).toEqual([])
  },
)

test.for([
  [0, 'now'],
  [1, 'now'],
  [10, 'now'],
  [11, 'a_2'],
  [20, 'a_2'],
  [21, 'q_2'],
  [35, 'a_1'],
  [1000, 'a_0'],
] as const)('of at most %i tokens, whole messages are kept: from %s on', ([keepTokens, kept]) => {
  expect(firstKept(stateOf(talk(3), asking), keepTokens)?.message.id).toBe(kept)
})

test('[I37] a history is never cut inside a call, and nothing but excluded messages is left out', () => {
  const turn = fc.constantFrom('says', 'calls', 'fails')
  const anyTalk = fc.array(turn, { maxLength: 8 })
  fc.assert(
    fc.property(anyTalk, fc.nat({ max: 60 }), (turns, keepTokens) => {
      const facts = turns.flatMap((kind, n) =>
        kind === 'calls'
          ? didCall(`m_${n}`, `call_${n}`)
          : answer(`m_${n}`, [text(long(n))], { excluded: kind === 'fails' }),
      )
      const state = stateOf(asked(long(0)), facts, said('now', 'Now?'))
      const kept = firstKept(state, keepTokens)
      if (!kept) return

      const covered = coveredBy(state, kept, 1000)
      const after = stateOf(asked(long(0)), facts, said('now', 'Now?'), summarised(kept.message.id))
      const rest = transcript(after, 1000)

      expect(kept.excluded).toBe(false)
      expect([problemOf(covered), problemOf(rest)]).toEqual([null, null])
      expect([...covered, ...rest.slice(1)]).toEqual(transcript(state, 1000))
      expect(covered.length).toBeGreaterThan(0)
    }),
  )
})

test('the messages for a later summary start with the summary before it', () => {
  const state = stateOf(talk(3), asking, summarised('q_1'))
  const kept = firstKept(state, 21)

  expect(kept?.message.id).toBe('q_2')
  expect(kept && coveredBy(state, kept, 1000).map(({ id }) => id)).toEqual([
    'summary-before-q_1',
    'q_1',
    'a_1',
  ])
})

test('no second cut is made before the last summary', () => {
  expect(firstKept(stateOf(talk(3), asking, summarised('now')), 0)).toBeNull()
})

test('a summary shortens a history by the length of what it replaces', () => {
  const state = stateOf(talk(3), asking)

  expect(contextTokens(state)).toBe(61)
  expect(contextTokens(stateOf(talk(3), asking, summarised('a_2')))).toBe(
    toTokens(40 + 'Now?'.length + 'Talk.'.length),
  )
})

test.for<[string, Message['content'], number]>([
  ['a text', [text('abc')], 3],
  ['thinking', [{ type: 'thinking', text: 'abcd' }], 4],
  ['a call', [call('call_1', 'add', '{"a":1}')], 10],
  ['an image', [{ type: 'image', mediaType: 'image/png', data: '' }], 6000],
  ['a small PDF', [{ type: 'document', mediaType: 'application/pdf', data: 'AAAA' }], 6000],
  [
    'a large PDF',
    [{ type: 'document', mediaType: 'application/pdf', data: 'A'.repeat(80_000) }],
    10_000,
  ],
  ['a letter', [{ type: 'document', mediaType: 'text/plain', data: 'Dear' }], 4],
  ['an opaque block', [{ type: 'opaque', data: { a: 1 } }], 7],
])('%s is as long as the model reads it', ([, content, chars]) => {
  const message = { id: 'm', parentId: null, role: 'user', content } as Message

  expect(lengthOf(message)).toBe(chars)
})
