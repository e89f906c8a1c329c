import type { Clock } from '../internal/clock.ts'

/** A clock that stands still until it is moved. */
export interface FakeClock extends Clock {
  /** Moves on, and calls back what is due on the way, in order. Throws a `TypeError` for less than 0 ms. */
  readonly advance: (ms: number) => void
  /** How many timers are set. */
  readonly pending: () => number
}

/**
 * Makes a clock that starts at 0 and stands still: timeouts, grace periods and pauses take as long as a test says.
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
      // As on a platform, a negative number, or none, counts as 0.
      const timer = { at: time + Math.max(0, ms || 0), callback }
      timers = [...timers, timer]
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    advance: (ms) => {
      if (!(ms >= 0)) throw new TypeError(`A clock goes on by 0 ms or more, not by ${ms}.`)
      const end = time + ms
      for (;;) {
        const next = timers.toSorted((a, b) => a.at - b.at).find(({ at }) => at <= end)
        if (!next) break
        time = Math.max(time, next.at)
        timers = timers.filter((timer) => timer !== next)
        next.callback()
      }
      // What was called back may have moved the clock on.
      time = Math.max(time, end)
    },
    pending: () => timers.length,
  }
}
