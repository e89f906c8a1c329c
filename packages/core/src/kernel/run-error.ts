import type { Json } from '../internal/json.ts'

/** Why a run failed, to branch on. The message says what to do about it. */
export type RunErrorKind =
  | 'auth'
  | 'billing'
  | 'permission'
  | 'rate_limited'
  | 'overloaded'
  | 'network'
  | 'cors'
  | 'stalled'
  | 'timeout'
  | 'context_overflow'
  | 'too_large'
  | 'bad_request'
  | 'protocol'
  | 'truncated_stream'
  | 'refusal'
  | 'invalid_output'
  | 'storage'
  | 'internal'

/** A failure of a run, as plain data. `message` is a sentence for people. */
export interface RunError {
  readonly kind: RunErrorKind
  readonly message: string
  readonly retryable: boolean
  readonly status?: number
  readonly retryAfterMs?: number
  readonly details?: Json
}

/** Whether another attempt may help after a failure of this kind. */
export function isRetryable(kind: RunErrorKind): boolean {
  return passing.has(kind)
}

const passing: ReadonlySet<RunErrorKind> = new Set<RunErrorKind>([
  'rate_limited',
  'overloaded',
  'network',
  'stalled',
  'timeout',
  'protocol',
  'truncated_stream',
])
