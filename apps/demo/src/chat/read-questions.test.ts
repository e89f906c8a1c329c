import { describe, expect, it } from 'vitest'
import { readQuestions } from './read-questions.ts'

describe('questions in an answer', () => {
  it('are taken out of the text around them', () => {
    expect(
      readQuestions('Before\n\n```ask\nhow many rows\nmean of a\nmean of a\n```\n\nAfter', false),
    ).toMatchObject({
      text: 'Before\n\n\n\nAfter',
      questions: ['how many rows', 'mean of a'],
    })
  })

  it('are never shown as code while they arrive', () => {
    const whole = 'Before\n```ask\nhow many rows\nmean of a\n```'
    for (let end = whole.indexOf('ask') + 1; end <= whole.length; end++)
      expect(readQuestions(whole.slice(0, end), true)).toMatchObject({ text: 'Before\n' })
  })

  it.each(['```a', '```ask', '```ask\nhow many', '```ask\nhow many\n``'])(
    'hide nothing of an answer that ends with %j',
    (text) => {
      expect(readQuestions(text, false)).toMatchObject({ text, questions: [] })
    },
  )

  it.each(['a long line '.repeat(30), 'line\n'.repeat(13)])(
    'hide nothing that is no question while it arrives: %j',
    (lines) => {
      expect(readQuestions(`\`\`\`ask\n${lines}`, true).text).toBe(`\`\`\`ask\n${lines}`)
    },
  )

  it.each(['```js\n1\n```', 'Use ```ask', '```asking\n1\n```', '```\nask\n```'])(
    'are none in %j',
    (text) => {
      expect(readQuestions(text, false)).toMatchObject({ text, questions: [] })
    },
  )
})
