import type { RetryDelay } from './draft.ts'
import type { KernelConfig, RetryPolicy } from './kernel-config.ts'
import { isRetryable, type RunError } from './run-error.ts'
import type { Answer, Run } from './state.ts'

/** If a server asks for a longer pause than this, the run fails instead of waiting. */
const longestRetryAfterMs = 60_000

/** How often an answer that people have seen a part of may be replaced by another attempt. */
const replacements = 1

/** Whether a failed request is tried again. */
export function mayRetryModel(run: Run, answer: Answer, { retry }: KernelConfig): boolean {
  const { error } = answer
  if (!error || !retry || !error.retryable || !isRetryable(error.kind)) return false
  if (run.attempt >= retry.maxAttempts) return false
  if ((error.retryAfterMs ?? 0) > longestRetryAfterMs) return false
  return !answer.wasSeen || (run.retry?.seen ?? 0) < replacements
}

/** The pause before an attempt, whose number is 2 or more. */
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
