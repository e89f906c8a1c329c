import { describe, expect, it } from 'vitest'
import { readQuestions } from './read-questions.ts'

describe('questions in an answer', () => {
  it('are taken out of the text around them', () => {
    expect(
      readQuestions('Before\n\n```ask\nhow many rows\nmean of a\nmean of a\n```\n\nAfter'),
    ).toMatchObject({
      text: 'Before\n\n\n\nAfter',
      questions: ['how many rows', 'mean of a'],
    })
  })

  it('are never shown as code while they arrive', () => {
    const whole = 'Before\n```ask\nhow many rows\nmean of a\n```'
    for (let end = whole.indexOf('ask') + 1; end <= whole.length; end++)
      expect(readQuestions(whole.slice(0, end))).toMatchObject({ text: 'Before\n' })
  })

  it.each(['```js\n1\n```', 'Use ```ask', '```asking\n1\n```', '```\nask\n```'])(
    'are none in %j',
    (text) => {
      expect(readQuestions(text)).toMatchObject({ text, questions: [] })
    },
  )
})
