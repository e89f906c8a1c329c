import type { Clock } from './clock.ts'

export interface Limit {
  readonly clock: Clock
  /** Why it took too long. */
  readonly late: () => unknown
  /** Nobody measures the time any more. */
  readonly signal: AbortSignal
}

/** The promise's own outcome, or a rejection after so many milliseconds. */
export function inTime<Value>(
  promise: Promise<Value>,
  ms: number,
  { clock, late, signal }: Limit,
): Promise<Value> {
  if (signal.aborted) return promise
  return new Promise((resolve, reject) => {
    const clear = clock.setTimer(ms, () => reject(late()))
    signal.addEventListener('abort', clear, { once: true })
    promise.then(resolve, reject).finally(() => {
      clear()
      signal.removeEventListener('abort', clear)
    })
  })
}
