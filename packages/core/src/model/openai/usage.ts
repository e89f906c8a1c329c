import { isJsonObject, type JsonObject } from '../../internal/json.ts'
import type { Usage } from '../../kernel/message.ts'
import { costOf, type Price } from '../price.ts'

/** The figures that were reported for an answer until now. */
export interface Report {
  readonly input?: number | undefined
  readonly output?: number | undefined
  readonly cached?: number | undefined
  readonly cost?: number | undefined
}

/** Takes what an event reports. The figures are totals, so a later one replaces an earlier one. */
export function readReport(before: Report, event: JsonObject, choice: JsonObject): Report {
  let report = before
  for (const usage of [choice['usage'], event['usage']]) {
    if (isJsonObject(usage)) report = addUsage(report, usage)
  }
  return report
}

function addUsage({ input, output, cached, cost }: Report, usage: JsonObject): Report {
  const { prompt_tokens_details: details } = usage
  return {
    input: count(usage['prompt_tokens']) ?? input,
    output: count(usage['completion_tokens']) ?? output,
    cached:
      count(isJsonObject(details) ? details['cached_tokens'] : null) ??
      count(usage['prompt_cache_hit_tokens']) ??
      count(usage['cached_tokens']) ??
      cached,
    cost: count(usage['cost']) ?? cost,
  }
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined
}

/** The figures of a whole answer. Tokens that a cache had are part of the reported input, and taken out of it. */
export function usageOf(report: Report, price: Price | undefined): Usage {
  const { input = 0, output = 0, cached } = report
  const cacheReadTokens = Math.min(cached ?? 0, input)
  const usage: Usage = {
    inputTokens: input - cacheReadTokens,
    outputTokens: output,
    ...(cached !== undefined && { cacheReadTokens }),
  }
  // Without figures nothing is known of the cost: it is not zero.
  const isCounted = report.input !== undefined && report.output !== undefined
  if (report.cost !== undefined) return { ...usage, cost: report.cost, isCostReported: true }
  return price && isCounted ? { ...usage, cost: costOf(usage, price) } : usage
}
