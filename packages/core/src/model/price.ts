import type { Usage } from '../kernel/message.ts'

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
  /** The price of input that is read from a cache. Default: `input`. */
  readonly cacheRead?: number
  /** The price of input that is written to a cache. Default: `input`. */
  readonly cacheWrite?: number
}

/** What an answer cost, in US dollars. `inputTokens` does not include what a cache read or wrote. */
export function costOf(usage: Usage, price: Price): number {
  const { input, output, cacheRead = input, cacheWrite = input } = price
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
  const millionths =
    inputTokens * input +
    outputTokens * output +
    cacheReadTokens * cacheRead +
    cacheWriteTokens * cacheWrite
  return millionths / 1_000_000
}
