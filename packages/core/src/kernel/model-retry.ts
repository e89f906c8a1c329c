import type { RetryDelay } from './draft.ts'
import type { KernelConfig, RetryPolicy } from './kernel-config.ts'
import type { RunError, RunErrorKind } from './run-error.ts'
import type { Answer, Run } from './state.ts'

/** A server may ask for a longer pause than this. Nobody waits that long without being told. */
const longestRetryAfterMs = 60_000

/** After something of an answer was seen, it is replaced by another attempt at most so often. */
const replacements = 1

const hopeless: ReadonlySet<RunErrorKind> = new Set<RunErrorKind>([
  'auth',
  'billing',
  'permission',
  'bad_request',
  'context_overflow',
  'too_large',
  'refusal',
  'storage',
  'internal',
])

/** Whether another attempt may help after one that failed. */
export function mayRetryModel(run: Run, answer: Answer, { retry }: KernelConfig): boolean {
  const { error } = answer
  if (!error || !retry || !error.retryable || hopeless.has(error.kind)) return false
  if (run.attempt >= retry.maxAttempts) return false
  if ((error.retryAfterMs ?? 0) > longestRetryAfterMs) return false
  return !answer.wasSeen || (run.retry?.seen ?? 0) < replacements
}

/** The pause before attempt `attempt`, from 2. */
export function delayBefore(
  attempt: number,
  { baseMs, capMs }: RetryPolicy,
  error?: RunError,
): RetryDelay {
  if (error?.retryAfterMs !== undefined) return { exactly: error.retryAfterMs }
  let below = baseMs
  for (let n = 2; n < attempt && below < capMs; n += 1) below *= 2
  return { below: Math.min(below, capMs) }
}
