import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AssistantContent, Message, StopReason } from '../kernel/message.ts'
import {
  answer as answerOf,
  call,
  conversations,
  result,
  systemMessage,
  text,
  user,
} from '../model/format/conversations.fixtures.ts'
import { transcriptProblems } from './strict-transcript.ts'

const asks = answer([text('Wait.'), call('a', '{'), call('b', '')])
const gave = result('a', [text('1')])
const gaveB = result('b', [], true)
const hi = user('Hi')

test('[I28] [S002-10] finds nothing in a legal transcript', () => {
  expect(transcriptProblems([systemMessage('Be brief.'), hi, asks, gave, gaveB, hi, hi])).toEqual(
    [],
  )
  expect(transcriptProblems([hi, answer([text('Well')], 'aborted'), hi])).toEqual([])
  expect(transcriptProblems([hi, answer([text('Searching')], 'pause_turn')])).toEqual([])
  expect(
    transcriptProblems([hi, answer([call('a', '{"ci')], 'max_tokens'), result('a', [], true)]),
  ).toEqual([])
})

const broken: readonly (readonly [problem: string, messages: readonly Message[]])[] = [
  ['[I28] The call "a" has no result.', [hi, asks, hi]],
  ['[I28] The call "b" has no result.', [hi, asks, gave]],
  ['[I28] The call "b" has no result.', [hi, asks, gave, hi, gaveB]],
  ['[I28] The call "a" has no result.', [hi, asks, systemMessage('x'), gave, gaveB]],
  ['[I28] The result of "a" does not follow its call.', [hi, gave]],
  ['[I28] The result of "c" does not follow its call.', [hi, asks, gave, gaveB, result('c', [])]],
  ['[I7] The call "a" has two results.', [hi, asks, gave, gave]],
  ['[I7] The call id "a" is used twice.', [hi, asks, gave, gaveB, asks, gave, gaveB]],
  ['[I7] The call id "a" is used twice.', [hi, answer([call('a', ''), call('a', '')]), gave, gave]],
  ['[I12] The result of "b" is not in call order.', [hi, asks, gaveB, gave]],
  [
    '[I28] The result of "a" is of another tool than the call.',
    [hi, asks, { ...gave, toolName: 'map' }, gaveB],
  ],
  ['[I28] The answer "m" says nothing and calls nothing.', [hi, answer([]), hi]],
  ['[I28] The answer "m" says nothing and calls nothing.', [hi, answer([text(' \n')]), hi]],
  [
    '[I28] The answer "m" says nothing and calls nothing.',
    [hi, answer([{ type: 'thinking', text: 'Hm.', signature: 's' }]), hi],
  ],
  [
    '[I28] The arguments of "a" are not kept as the text they came in.',
    [hi, answer([Object.assign(call('a', ''), { argsText: {} })]), gave],
  ],
  [
    '[I37] The answer "m" ended as error and is no part of the conversation.',
    [hi, answer([text('Wel')], 'error'), hi],
  ],
  [
    '[I37] The answer "m" ended as refusal and is no part of the conversation.',
    [hi, answer([text('No.')], 'refusal'), hi],
  ],
  [
    '[I37] The answer "m" was aborted: only its text may stay.',
    [hi, answer([call('a', '{}')], 'aborted'), { ...gave, isError: true }],
  ],
  [
    '[I18] "a" succeeded, but its answer ended as max_tokens: it may not run.',
    [hi, answer([call('a', '{}')], 'max_tokens'), gave],
  ],
  [
    '[I19] The result of "a" shows its details.',
    [hi, asks, Object.assign({ details: {} }, gave), gaveB],
  ],
  ['[I19] A text shows its label.', [user(Object.assign(text('Hi'), { label: 'x' }))]],
  [
    '[I28] A toolCall stands where only texts, images and documents may.',
    [Object.assign({}, hi, { content: [call('a', '')] })],
  ],
  ['[I28] The conversation is empty: there is nothing to answer.', []],
  ['[I28] The conversation is empty: there is nothing to answer.', [systemMessage('x')]],
  [
    '[I23] The answer "m" is complete: no question follows it.',
    [hi, answer([text('Done.')], 'stop')],
  ],
]

test.for(broken)('[I28] says %s', ([problem, messages]) => {
  expect(transcriptProblems(messages)[0]).toBe(problem)
})

test('[I28] names a rule, and never throws, whatever is taken out of a transcript', () => {
  fc.assert(
    fc.property(conversations, fc.nat(), (messages, at) => {
      const problems = transcriptProblems(messages.toSpliced(at % 8, 1))

      for (const problem of problems) expect(problem).toMatch(/^\[I\d+\] .+\.$/s)
    }),
  )
})

function answer(
  content: readonly AssistantContent[],
  stopReason: StopReason = 'tool_use',
): Message {
  return Object.assign(answerOf(content), { stopReason })
}
