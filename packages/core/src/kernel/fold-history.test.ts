import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Fact } from './events.ts'
import { findNode, isOnPath } from './fold-history.ts'
import {
  agentEnd,
  agentStart,
  answer,
  answered,
  asked,
  overloaded,
  queued,
  said,
  stateOf,
  text,
  turnEnd,
  turnStart,
} from './log.fixtures.ts'
import type { InputSource } from './message.ts'
import type { State } from './state.ts'
import { summaryText } from './texts.ts'
import { pathTo, transcript } from './transcript.ts'

/** msg_1 Go. ─ msg_2 Hi. ─ msg_3 More. ─ msg_4 Well. */
const talk = [
  ...answered(text('Hi.')),
  turnEnd(),
  agentEnd(),
  agentStart('More.'),
  turnStart,
  ...said('msg_3', 'More.'),
  ...answer('msg_4', [text('Well.')]),
  turnEnd(),
  agentEnd(),
]
const moved = (messageId: string | null): Fact => ({ type: 'head_moved', messageId })
const compacted = (firstKeptMessageId: string, summary = 'They talked.'): Fact[] => [
  { type: 'compaction_start', reason: 'threshold' },
  {
    type: 'compaction_end',
    aborted: false,
    result: { summary, firstKeptMessageId, tokensBefore: 9, tokensAfter: 3 },
  },
]

test.for<[string, readonly Fact[], readonly string[], readonly string[]]>([
  ['to an earlier message', [moved('msg_2')], ['msg_1', 'msg_2'], ['msg_4']],
  ['to the start', [moved(null)], [], ['msg_4']],
  ['away and back', [moved('msg_1'), moved('msg_4')], ['msg_1', 'msg_2', 'msg_3', 'msg_4'], []],
  ['to where it is', [moved('msg_4')], ['msg_1', 'msg_2', 'msg_3', 'msg_4'], []],
  ['to nowhere', [moved('msg_9')], ['msg_1', 'msg_2', 'msg_3', 'msg_4'], []],
  [
    'to a new branch',
    [moved('msg_2'), ...said('msg_5', 'Else.')],
    ['msg_1', 'msg_2', 'msg_5'],
    ['msg_4'],
  ],
  ['to a second root', [moved(null), ...said('msg_5', 'Else.')], ['msg_5'], ['msg_4']],
  [
    'to another branch',
    [moved('msg_2'), ...said('msg_5', 'Else.'), moved('msg_4')],
    ['msg_1', 'msg_2', 'msg_3', 'msg_4'],
    ['msg_5'],
  ],
  [
    'into the middle of another branch',
    [moved('msg_2'), ...said('msg_5', 'Else.'), moved('msg_3')],
    ['msg_1', 'msg_2', 'msg_3'],
    ['msg_4', 'msg_5'],
  ],
])('[I37] the head moves %s', ([, facts, path, tips]) => {
  const state = stateOf(talk, facts)

  expect(pathTo(state.head).map(({ message }) => message.id)).toEqual(path)
  expect(state.tips.map(({ message }) => message.id)).toEqual(tips)
})

test('[I37] after a move of the head every message can be found, on any branch', () => {
  const target = fc.constantFrom(null, 'msg_1', 'msg_2', 'msg_3', 'msg_4', 'msg_9')
  const move = fc.record({ to: target, grows: fc.boolean() })
  fc.assert(
    fc.property(fc.array(move, { maxLength: 12 }), (moves) => {
      const facts = moves.flatMap(({ to, grows }, index) => [
        moved(to),
        ...(grows ? said(`new_${index}`, 'Else.') : []),
      ])
      const state = stateOf(talk, facts)
      const ids = [...talk, ...facts].flatMap((fact) =>
        fact.type === 'message_end' ? [fact.message.id] : [],
      )

      for (const id of ids) expect(findNode(state, id)?.message.id).toBe(id)
      for (const [index, tip] of state.tips.entries()) {
        const others = [state.head, ...state.tips.toSpliced(index, 1)]
        expect(others.some((other) => isOnPath(other, tip.message.id))).toBe(false)
      }
    }),
  )
})

test('[I37] a tip is the end of a branch: no other branch leads through it', () => {
  const facts = [moved('msg_3'), moved(null)]

  expect(stateOf(talk, facts).tips.map(({ message }) => message.id)).toEqual(['msg_4'])
})

test('[I37] moving the head changes nothing that the branch holds', () => {
  const before = stateOf(talk)
  const there = stateOf(talk, moved('msg_1'))

  expect(stateOf(talk, moved('msg_1'), moved('msg_4')).head).toEqual(before.head)
  expect(there.tips[0]).toEqual(before.head)
})

test('[I37] the transcript of a branch holds nothing of another', () => {
  const state = stateOf(talk, moved('msg_2'), said('msg_5', 'Else.'))

  expect(saidIn(state)).toEqual(['Go.', 'Hi.', 'Else.'])
})

test('[I37] what is queued is not part of a branch', () => {
  const state = stateOf(talk, queued({ followUp: ['f'] }), moved(null))

  expect(state.queues.followUp).toHaveLength(1)
})

test('[I37] a summary replaces the messages before its first kept message', () => {
  const state = stateOf(talk, compacted('msg_3'))

  expect(saidIn(state)).toEqual([
    'Summary of the conversation so far:\n\nThey talked.',
    'More.',
    'Well.',
  ])
  expect(pathTo(state.head)).toHaveLength(4)
})

test.for<[string, readonly Fact[], readonly string[]]>([
  ['a branch without its first kept message', [moved('msg_2')], ['Go.', 'Hi.']],
  ['a branch with it', [moved('msg_3')], ['Summary', 'More.']],
  [
    'the branch it was made on, later',
    [moved('msg_1'), moved('msg_4')],
    ['Summary', 'More.', 'Well.'],
  ],
  [
    'a branch that leaves after it',
    [moved('msg_3'), ...said('msg_5', 'Else.')],
    ['Summary', 'More.', 'Else.'],
  ],
  ['the start', [moved(null)], []],
])(
  '[I37] [L12] a summary counts only where its first kept message is: %s',
  ([, facts, expected]) => {
    const state = stateOf(talk, compacted('msg_3'), facts)

    expect(saidIn(state).map((words) => words.replace(/^Summary of[\s\S]*/, 'Summary'))).toEqual(
      expected,
    )
  },
)

test('[I37] of several summaries that count the last is used', () => {
  const twice = [...compacted('msg_2', 'First.'), ...compacted('msg_4', 'Second.')]

  expect(saidIn(stateOf(talk, twice))).toEqual([summaryText('Second.'), 'Well.'])
  expect(saidIn(stateOf(talk, twice, moved('msg_3')))).toEqual([
    summaryText('First.'),
    'Hi.',
    'More.',
  ])
  expect(saidIn(stateOf(talk, twice, moved('msg_3'), moved('msg_4')))).toEqual([
    summaryText('Second.'),
    'Well.',
  ])
})

test.for<[string, Fact]>([
  ['was stopped', { type: 'compaction_end', aborted: true }],
  ['failed', { type: 'compaction_end', aborted: false, error: overloaded }],
  ['starts at an unknown message', compacted('msg_9')[1] ?? turnStart],
])('[I37] a summary that %s changes nothing', ([, end]) => {
  const state = stateOf(talk, { type: 'compaction_start', reason: 'manual' }, end)

  expect(saidIn(state)).toEqual(['Go.', 'Hi.', 'More.', 'Well.'])
  expect(state.summaries).toEqual([])
})

test('[I26] a queue has the content of its last update', () => {
  const state = stateOf(
    queued({ steering: ['a', 'b'] }),
    queued({ steering: ['b'], followUp: ['c'] }),
  )

  expect(state.queues).toEqual({ steering: [[text('b')]], followUp: [[text('c')]] })
})

test.for<[InputSource, object]>([
  ['steering', { steering: [[text('b')]], followUp: [[text('c')]] }],
  ['follow_up', { steering: [[text('a')], [text('b')]], followUp: [] }],
  ['prompt', { steering: [[text('a')], [text('b')]], followUp: [[text('c')]] }],
])('[I26] [Q1] a message leaves its queue with its end, not before: %s', ([source, after]) => {
  const all = queued({ steering: ['a', 'b'], followUp: ['c'] })
  const [start, end] = said('msg_9', 'x', source)

  expect(stateOf(asked(), all, start ?? [])?.queues).toEqual(stateOf(all).queues)
  expect(stateOf(asked(), all, start ?? [], end ?? []).queues).toEqual(after)
})

function saidIn(state: State): string[] {
  return transcript(state, 1000).flatMap(({ content }) =>
    content.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
  )
}
