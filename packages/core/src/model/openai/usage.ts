import { isObject } from '../../internal/json.ts'
import type { Usage } from '../../kernel/message.ts'
import { costOf, type Price } from '../wire/price.ts'
import type { Fields } from './fields.ts'

/** What was reported of an answer so far. A figure that is missing was not reported. */
export interface Report {
  readonly input?: number
  readonly output?: number
  readonly cached?: number
  readonly cost?: number
}

/** Takes what an event reports. The figures are totals, so a later one replaces an earlier one. */
export function readReport(before: Report, event: Fields, choice: Fields): Report {
  const groq = event['x_groq']
  return {
    ...before,
    ...reportIn(choice['usage']),
    ...reportIn(isObject(groq) ? groq['usage'] : null),
    ...reportIn(event['usage']),
  }
}

function reportIn(usage: unknown): Report {
  if (!isObject(usage)) return {}
  const { prompt_tokens_details: details } = usage
  const cached =
    count(isObject(details) ? details : {}, 'cached_tokens') ??
    count(usage, 'prompt_cache_hit_tokens') ??
    count(usage, 'cached_tokens')
  const input = count(usage, 'prompt_tokens')
  const output = count(usage, 'completion_tokens')
  const cost = count(usage, 'cost')
  return {
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    ...(cached !== undefined && { cached }),
    ...(cost !== undefined && { cost }),
  }
}

function count(fields: Fields, key: string): number | undefined {
  const value = fields[key]
  return typeof value === 'number' && value >= 0 ? value : undefined
}

/** The figures of a whole answer. Tokens that a cache had are part of the reported input, and taken out of it. */
export function usageOf(
  { input, output, cached, cost: reported }: Report,
  price: Price | undefined,
): Usage {
  const cacheReadTokens = cached === undefined ? undefined : Math.min(cached, input ?? 0)
  const usage: Usage = {
    inputTokens: (input ?? 0) - (cacheReadTokens ?? 0),
    outputTokens: output ?? 0,
    ...(cacheReadTokens !== undefined && { cacheReadTokens }),
  }
  // Without figures nothing is known of the cost: it is not zero.
  const isCounted = input !== undefined && output !== undefined
  const cost = reported ?? (price && isCounted ? costOf(usage, price) : undefined)
  return cost === undefined ? usage : { ...usage, cost }
}
