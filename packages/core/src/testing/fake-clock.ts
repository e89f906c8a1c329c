import type { Clock } from '../internal/clock.ts'

/** A clock that stands still until it is moved. */
export interface FakeClock extends Clock {
  /** Moves on, and calls back what is due on the way, in order. */
  readonly advance: (ms: number) => void
  /** How many timers are set. */
  readonly pending: () => number
}

/**
 * Makes a clock that starts at 0 and stands still: timeouts, grace periods and pauses take as long as a test wants.
 *
 * @example
 * ```ts
 * const clock = fakeClock()
 * const workers = fakeWorkers([countPrimes], { clock })
 * clock.advance(60_000) // the tool's timeoutMs is over
 * ```
 */
export function fakeClock(): FakeClock {
  let time = 0
  let timers: readonly { readonly at: number; readonly callback: () => void }[] = []
  return {
    now: () => time,
    monotonic: () => time,
    setTimer: (ms, callback) => {
      const timer = { at: time + ms, callback }
      timers = [...timers, timer]
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    advance: (ms) => {
      const end = time + ms
      for (;;) {
        const next = timers.toSorted((a, b) => a.at - b.at).find(({ at }) => at <= end)
        if (!next) break
        time = next.at
        timers = timers.filter((timer) => timer !== next)
        next.callback()
      }
      time = end
    },
    pending: () => timers.length,
  }
}
