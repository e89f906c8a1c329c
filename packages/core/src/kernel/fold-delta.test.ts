import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AssistantMessageEvent } from './events.ts'
import { fold } from './fold.ts'
import { growContent } from './fold-delta.ts'
import {
  answer,
  answerStart,
  asked,
  call,
  logOf,
  stateAfter,
  stateOf,
  step,
  streamed,
  text,
} from './log.fixtures.ts'
import type { AssistantContent } from './message.ts'

test('[I5] the deltas of an answer concatenate to its content', () => {
  const steps: readonly AssistantMessageEvent[] = [
    { type: 'thinking_start', contentIndex: 0 },
    { type: 'thinking_delta', contentIndex: 0, delta: 'Let ' },
    { type: 'thinking_delta', contentIndex: 0, delta: 'me think.' },
    { type: 'text_start', contentIndex: 1 },
    {
      type: 'toolcall_start',
      contentIndex: 2,
      toolCallId: 'call_1',
      toolName: 'add',
      providerId: 'toolu_1',
    },
    { type: 'text_delta', contentIndex: 1, delta: 'Adding.' },
    { type: 'toolcall_delta', contentIndex: 2, delta: '{"a"' },
    { type: 'thinking_end', contentIndex: 0, signature: 'signed' },
    { type: 'toolcall_delta', contentIndex: 2, delta: ':1}' },
    { type: 'text_end', contentIndex: 1 },
    { type: 'toolcall_end', contentIndex: 2 },
    { type: 'thinking_start', contentIndex: 3, redacted: 'secret' },
    { type: 'thinking_end', contentIndex: 3 },
    { type: 'opaque_start', contentIndex: 4, data: { type: 'search', input: {} } },
    { type: 'opaque_end', contentIndex: 4, data: { type: 'search', input: { q: 1 } } },
    { type: 'opaque_start', contentIndex: 5, data: { type: 'found' } },
    { type: 'opaque_end', contentIndex: 5 },
  ]

  expect(steps.reduce(growContent, [])).toEqual([
    { type: 'thinking', text: 'Let me think.', signature: 'signed' },
    { type: 'text', text: 'Adding.' },
    {
      type: 'toolCall',
      toolCallId: 'call_1',
      toolName: 'add',
      argsText: '{"a":1}',
      providerId: 'toolu_1',
    },
    { type: 'thinking', text: '', redacted: 'secret' },
    { type: 'opaque', data: { type: 'search', input: { q: 1 } } },
    { type: 'opaque', data: { type: 'found' } },
  ])
})

test('[I5] a text is the same however it is divided into deltas', () => {
  const letter = fc.constantFrom('a', ' ', '\n', '"', '\0', 'é', '😀', '\ud83d', '\ude00')
  fc.assert(
    fc.property(fc.array(fc.string({ unit: letter })), (deltas) => {
      const state = stateOf(asked(), answerStart('msg_2'), streamed('msg_2', ...deltas))

      expect(state.run?.step).toMatchObject({ message: { content: [text(deltas.join(''))] } })
    }),
  )
})

test.for<AssistantMessageEvent>([
  { type: 'text_start', contentIndex: 3 },
  { type: 'text_start', contentIndex: 0 },
  { type: 'text_delta', contentIndex: 2, delta: 'x' },
  { type: 'text_delta', contentIndex: -1, delta: 'x' },
  { type: 'text_delta', contentIndex: 1, delta: 'x' },
  { type: 'thinking_delta', contentIndex: 0, delta: 'x' },
  { type: 'toolcall_delta', contentIndex: 0, delta: 'x' },
  { type: 'thinking_end', contentIndex: 0, signature: 'x' },
  { type: 'text_end', contentIndex: 7 },
])('a delta that does not fit changes nothing: %j', (stray) => {
  const content: readonly AssistantContent[] = [text('Hi'), call('call_1')]

  expect(growContent(content, stray)).toBe(content)
})

test('[I34] a delta for another message, or after the end, changes nothing', () => {
  const begun = [...asked(), answerStart('msg_2'), ...streamed('msg_2', 'Hi')]
  const late = step('msg_2', { type: 'text_delta', contentIndex: 0, delta: '!' })
  const foreign = step('msg_9', { type: 'text_delta', contentIndex: 0, delta: '!' })

  for (const log of [
    logOf(begun, foreign),
    logOf(begun, answer('msg_2', [text('Hi')]).slice(1), late),
  ]) {
    const before = stateAfter(log.slice(0, -1))
    expect(stateAfter(log)).toEqual({ ...before, sub: before.sub + 1 })
  }
})

test('a delta costs the same at any length: untouched parts stay the same objects', () => {
  const log = logOf(
    asked(),
    answerStart('msg_2'),
    streamed('msg_2', 'Hi'),
    step('msg_2', {
      type: 'toolcall_start',
      contentIndex: 1,
      toolCallId: 'call_1',
      toolName: 'add',
    }),
    step('msg_2', { type: 'toolcall_delta', contentIndex: 1, delta: '{}' }),
  )
  const before = stateAfter(log.slice(0, -1))

  const after = log.slice(-1).reduce(fold, before)

  expect(after.head).toBe(before.head)
  expect(contentIn(after)[0]).toBe(contentIn(before)[0])
  expect(contentIn(after)[1]).not.toBe(contentIn(before)[1])
})

function contentIn({ run }: ReturnType<typeof stateOf>): readonly AssistantContent[] {
  return run?.step.kind === 'asking' ? run.step.message.content : []
}
