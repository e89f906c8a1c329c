/** Time, as the runtime and its parts see it. Tests pass a clock they move by hand. */
export interface Clock {
  /** Epoch milliseconds. A label for people: never compared. */
  readonly now: () => number
  /** Milliseconds that never jump back; durations are differences of it. */
  readonly monotonic: () => number
  /** Calls back once after `ms`, unless the returned function is called before. */
  readonly setTimer: (ms: number, callback: () => void) => () => void
}

/** What a timer can wait for: the platform calls back at once when it is asked for more. */
export const longestTimerMs: number = 2 ** 31 - 1

/** The platform's own clock. */
export const platformClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(ms, longestTimerMs))
    return () => clearTimeout(timer)
  },
}
