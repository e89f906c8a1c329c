import { describe, expect, test } from 'vitest'
import type { Usage } from '../../kernel/message.ts'
import { costOfAnswer, listPriceOf, type ModelPrice } from './prices.ts'

const million = 1_000_000

describe('a list price', () => {
  test.each([
    ['claude-opus-5-5', 4, 20],
    ['claude-opus-5', 5, 25],
    ['claude-opus-4-5-20251101', 5, 25],
    ['claude-haiku-4-5-20251001', 1, 5],
    ['claude-sonnet-4-5', 3, 15],
    ['claude-fable-5-1', 10, 50],
    ['claude-mythos-5', 10, 50],
  ])('of %s is %d for input and %d for output', (model, input, output) => {
    expect(listPriceOf(model)).toMatchObject({ input, output })
  })

  test.each([
    'claude-opus',
    'claude-opus-9',
    'claude-opus-4',
    'gpt-5.5',
    '',
    'qwen3',
    'opus-5 opus-4-8',
  ])('is not known of %s', (model) => {
    expect(listPriceOf(model)).toBeUndefined()
  })
})

describe('an answer costs', () => {
  const opus: ModelPrice = { input: 4, output: 20, cacheRead: 0.2 }

  test('its tokens, each kind by its own price', () => {
    const usage = { inputTokens: million, outputTokens: million, cacheReadTokens: million }

    expect(cost(usage, opus)).toBeCloseTo(24.2)
  })

  test('a quarter more for what is kept for minutes, twice as much for an hour', () => {
    const usage = { inputTokens: 0, outputTokens: 0, cacheWriteTokens: million }

    expect(cost(usage, opus)).toBeCloseTo(5)
    expect(cost(usage, opus, million)).toBeCloseTo(8)
    expect(cost(usage, opus, million / 2)).toBeCloseTo(6.5)
    expect(cost(usage, { ...opus, cacheWrite: 1 }, million)).toBeCloseTo(1)
  })

  test('a tenth for what is read from a cache, if nothing else is said', () => {
    const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: million }

    expect(cost(usage, { input: 4, output: 20 })).toBeCloseTo(0.4)
  })

  test('five times as much with Haiku 5.5 and a prompt of more than 100,000 tokens', () => {
    const haiku = listPriceOf('claude-haiku-5-5')
    const short = { inputTokens: 50_000, outputTokens: million, cacheReadTokens: 50_000 }

    expect(haiku && cost(short, haiku)).toBeCloseTo(0.5055)
    expect(haiku && cost({ ...short, cacheWriteTokens: 1 }, haiku)).toBeCloseTo(2.5275)
  })
})

function cost(usage: Usage, price: ModelPrice, hourTokens = 0): number {
  return costOfAnswer({ usage, hourTokens }, price)
}
