import { defined } from '../../internal/defined.ts'
import { isJsonObject, type Json, type JsonObject } from '../../internal/json.ts'
import { noUsage, type Usage } from '../../kernel/message.ts'

/** What an answer used, as far as it was reported. */
export interface Tally {
  readonly usage: Usage
  /** The tokens that were written to a cache for an hour; `usage` counts them as well. */
  readonly hourTokens: number
}

export const nothingUsed: Tally = { usage: noUsage, hourTokens: 0 }

/** The figures are totals, so a later one replaces an earlier one. */
export function readUsage({ usage, hourTokens }: Tally, reported: Json | undefined): Tally {
  if (!isJsonObject(reported)) return { usage, hourTokens }
  const { cache_creation: creation } = reported
  return {
    usage: {
      inputTokens: countIn(reported, 'input_tokens') ?? usage.inputTokens,
      outputTokens: countIn(reported, 'output_tokens') ?? usage.outputTokens,
      ...defined({
        cacheReadTokens: countIn(reported, 'cache_read_input_tokens') ?? usage.cacheReadTokens,
        cacheWriteTokens:
          countIn(reported, 'cache_creation_input_tokens') ?? usage.cacheWriteTokens,
      }),
    },
    hourTokens:
      (isJsonObject(creation) && countIn(creation, 'ephemeral_1h_input_tokens')) || hourTokens,
  }
}

function countIn(fields: JsonObject, key: string): number | undefined {
  const count = fields[key]
  return typeof count === 'number' ? count : undefined
}
