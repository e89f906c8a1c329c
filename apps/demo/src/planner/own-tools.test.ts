import { expect, test } from 'vitest'
import { explainOwnTool, readOwnTools } from './own-tools.ts'

const countWords = {
  name: 'count_words',
  input_schema: {
    type: 'object',
    properties: {
      text: { type: 'string' },
      least: { type: 'integer', minimum: 2 },
      unit: { enum: ['word', 'line'] },
      loud: { type: 'boolean' },
    },
    required: ['text', 'unit', 'least'],
  },
}

test('knows of a tool that was added how to call it', () => {
  const tools = [{ name: 'load_table' }, { name: 'dev_sleep' }, countWords, { name: 'bare' }]

  expect(readOwnTools(tools)).toEqual([
    { name: 'count_words', command: '/count_words {"text":"…","least":2,"unit":"word"}' },
    { name: 'bare', command: '/bare {}' },
  ])
})

test.each(['count_words in this', 'How many words? Count the words.', 'COUNT WORDS'])(
  'says how to call what is asked for: %s',
  (text) => {
    expect(explainOwnTool(text, readOwnTools([countWords]))).toContain('/count_words {"text":"…"')
  },
)

test('says nothing of a tool that nobody names', () => {
  expect(explainOwnTool('How many words are there?', readOwnTools([countWords]))).toBeUndefined()
})
