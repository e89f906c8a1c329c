import type { Message, ModelRequest } from '@offthread/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  answer,
  call,
  conversations,
  image,
  result,
  systemMessage,
  text,
  unseen,
  user,
} from '../../core/src/model/format/conversations.fixtures.ts'
import { chromeModel } from './chrome.ts'
import { formatForChrome } from './format.ts'
import { createStandIn } from './stand-in.fixtures.ts'

const clock = { name: 'clock', description: 'Tells the time.', inputSchema: { type: 'object' } }
const exchange: readonly Message[] = [
  user('Kyiv and Lima?'),
  answer([text('I look.'), call('a', '{"city":"Kyiv"}'), call('b', '')]),
  result('b', [text('no such city')], true),
  result('a', [text('noon'), image('image/png')]),
]

test('a conversation with tools is written in the form that answers must have', () => {
  const prompts = format({ system: 'Be brief.', messages: exchange, tools: [clock] })

  expect(prompts.initialPrompts).toEqual([
    {
      role: 'system',
      content: expect.stringMatching(/^Be brief\.\n\n.*\n- clock: Tells the time\.$/s),
    },
    { role: 'user', content: 'Kyiv and Lima?' },
    {
      role: 'assistant',
      content:
        '{"say":"I look.","calls":[{"tool":"clock","arguments":{"city":"Kyiv"}},{"tool":"clock","arguments":{}}]}',
    },
  ])
  expect(prompts.input).toEqual([
    {
      role: 'user',
      content:
        'Result of call 1 (clock):\n\nnoon\n\n[An image was left out: this model cannot read it.]\n\nError of call 2 (clock):\n\nno such city',
    },
  ])
  expect(prompts).toHaveProperty('responseConstraint')
})

test('without tools it is written as plain text, and the answer is not constrained', () => {
  const prompts = format({ messages: exchange })

  expect(prompts.initialPrompts).toEqual([
    { role: 'user', content: 'Kyiv and Lima?' },
    {
      role: 'assistant',
      content: 'I look.\n\n(Used clock with {"city":"Kyiv"}.)\n\n(Used clock with {}.)',
    },
  ])
  expect(prompts).not.toHaveProperty('responseConstraint')
})

test('images stand where they stood', () => {
  const messages = [user('One:', image('image/png'), 'Two:', image('image/gif'), 'Which?')]

  const { input } = formatForChrome({ system: '', messages, tools: [] }, { takesImages: true })

  expect(input).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', value: 'One:' },
        { type: 'image', value: expect.any(Blob) },
        { type: 'text', value: 'Two:' },
        { type: 'image', value: expect.any(Blob) },
        { type: 'text', value: 'Which?' },
      ],
    },
  ])
})

test('a branch that starts with an answer gets a user message before it', () => {
  const { initialPrompts } = format({ messages: [answer([text('Yes.')]), user('Why?')] })

  expect(initialPrompts[0]).toEqual({ role: 'user', content: '(The conversation goes on.)' })
})

test('a last answer is followed by a request to go on, and a longer conversation starts the same', () => {
  const goOn = { role: 'user', content: '(Go on.)' }
  const begun = format({ messages: [user('Hi.'), answer([text('One.')])] })

  expect(begun).toEqual({
    initialPrompts: [
      { role: 'user', content: 'Hi.' },
      { role: 'assistant', content: 'One.' },
    ],
    input: [goOn],
  })
  expect(
    format({ messages: [user('Hi.'), answer([text('One.')]), answer([text('Two.')])] }),
  ).toEqual({
    initialPrompts: [...begun.initialPrompts, goOn, { role: 'assistant', content: 'Two.' }],
    input: [goOn],
  })
})

test('system messages in the middle come first, and alone they are not a conversation', () => {
  expect(format({ system: 'A', messages: [user('Hi.'), systemMessage('B')] })).toEqual({
    initialPrompts: [{ role: 'system', content: 'A\n\nB' }],
    input: [{ role: 'user', content: 'Hi.' }],
  })
  expect(format({ system: 'A', messages: [] }).input).toEqual([])
})

test('every conversation is accepted, and gives away nothing that is not for a model', async () => {
  const languageModel = createStandIn({
    answer: ({ options }) => ({ pieces: [options.responseConstraint ? '{"say":""}' : ''] }),
    takesImages: true,
  })
  const model = chromeModel({ languageModel })

  await fc.assert(
    fc.asyncProperty(conversations, fc.boolean(), async (messages, hasTools) => {
      const before = languageModel.seen.length
      const request = { system: 'Be brief.', messages, tools: hasTools ? [clock] : [] }
      if (format(request).input.length === 0) return
      const { signal } = new AbortController()
      for await (const chunk of model.stream(request, { signal })) {
        expect(chunk).toMatchObject({ type: 'finish', stopReason: 'stop' })
      }
      expect(languageModel.seen.length).toBe(before + 1)
      const sent = JSON.stringify(languageModel.seen.at(-1))
      expect(sent).not.toContain(unseen)
      expect(sent).not.toMatch(/\\ud[89a-f]/)
    }),
    { numRuns: 300 },
  )
})

function format(request: Partial<ModelRequest>) {
  return formatForChrome(
    { system: '', messages: [], tools: [], ...request },
    { takesImages: false },
  )
}
