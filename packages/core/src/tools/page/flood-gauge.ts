/** A worker that is further ahead than this is out of control. */
const mostAheadMs = 2000

/**
 * Measures how far a worker is ahead of the page. Each message puts it ahead by one millisecond and twice the time that
 * reading it took, and passing time brings it back. So messages of any kind count alike: many small ones, a few big
 * ones.
 */
export interface FloodGauge {
  /**
   * Call it after each message with the time at which its reading began. Returns whether the worker is out of control.
   */
  readonly note: (startedAt: number) => boolean
  /** Milliseconds until the worker is not ahead any more. */
  readonly aheadMs: () => number
}

export function createFloodGauge(now: () => number): FloodGauge {
  let evenAt = 0
  const aheadMs = () => Math.max(0, evenAt - now())
  return {
    note: (startedAt) => {
      evenAt = Math.max(evenAt, startedAt) + 1 + 2 * (now() - startedAt)
      return aheadMs() > mostAheadMs
    },
    aheadMs,
  }
}

export const floodText: string = `The worker posted more than the page can take: ${mostAheadMs} messages at once, or fewer big ones.`
