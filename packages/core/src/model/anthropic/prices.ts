import type { Usage } from '../../kernel/message.ts'
import { costOf, type Price } from '../price.ts'
import type { Tally } from './usage.ts'

/** What the tokens of a model cost. */
export interface ModelPrice extends Price {
  /** The factor for the whole price of a request with more than 100,000 tokens. */
  readonly longPromptFactor?: number
}

// US dollars for a million tokens: input, output, input read from a cache.
// Source: platform.claude.com, "Pricing", as it was on 2026-10-10.
const listPrices: readonly (readonly [
  models: string,
  input: number,
  output: number,
  cacheRead: number,
  longPromptFactor?: number,
])[] = [
  ['fable-5-1 mythos-5-1', 10, 50, 0.25],
  ['fable-5 mythos-5', 10, 50, 1],
  ['opus-5-5', 4, 20, 0.2],
  ['opus-5 opus-4-8 opus-4-7 opus-4-6 opus-4-5', 5, 25, 0.5],
  ['sonnet-5-5', 2, 10, 0.1],
  ['sonnet-5', 2, 10, 0.2],
  ['sonnet-4-6 sonnet-4-5', 3, 15, 0.3],
  ['haiku-5-5', 0.1, 0.5, 0.01, 5],
  ['haiku-4-5', 1, 5, 0.1],
]

/** The list price of a model, or nothing if it is not in the list. The date in an id does not matter. */
export function listPriceOf(model: string): ModelPrice | undefined {
  const name = model.replace(/^claude-|-\d{8}$/g, '')
  const row = listPrices.find(([models]) => models.split(' ').includes(name))
  if (!row) return undefined
  const [, input, output, cacheRead, longPromptFactor = 1] = row
  return { input, output, cacheRead, longPromptFactor }
}

const longPrompt = 100_000

/** What an answer cost. Unless the price says so, a cache costs what it costs at the vendor's. */
export function costOfAnswer({ usage, hourTokens }: Tally, price: ModelPrice): number {
  const { input, longPromptFactor = 1 } = price
  const { cacheWriteTokens = 0 } = usage
  // Writing to a cache costs 1.25 times the input for five minutes, and twice the input for an hour.
  const share = cacheWriteTokens === 0 ? 0 : hourTokens / cacheWriteTokens
  const cost = costOf(usage, {
    cacheRead: input * 0.1,
    cacheWrite: input * (1.25 + 0.75 * share),
    ...price,
  })
  return promptOf(usage) > longPrompt ? cost * longPromptFactor : cost
}

function promptOf({ inputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 }: Usage): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens
}
