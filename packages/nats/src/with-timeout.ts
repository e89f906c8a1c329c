import type { Clock } from '@offthread/core/host'

/** The promise's own outcome, or a rejection when the time is over. */
export function withTimeout<Value>(
  promise: Promise<Value>,
  ms: number,
  { clock, late }: { readonly clock: Clock; readonly late: () => unknown },
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const clear = clock.setTimer(ms, () => reject(late()))
    promise.then(resolve, reject).finally(clear)
  })
}
