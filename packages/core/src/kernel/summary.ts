/** Why the history is summarised: it became long, or the model refused it as too long. */
export type CompactionReason = 'manual' | 'threshold' | 'overflow'

/** A summary that stands in for the messages before `firstKeptMessageId`. Tokens are estimates. */
export interface CompactionResult {
  readonly summary: string
  readonly firstKeptMessageId: string
  readonly tokensBefore: number
  readonly tokensAfter: number
}
