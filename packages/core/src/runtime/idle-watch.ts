import type { Clock } from '../internal/clock.ts'
import { setWakingTimer } from '../internal/waking-timer.ts'

/** A timer that calls back when it was not restarted for some time. */
export interface IdleWatch {
  /** Starts the waiting time again. Costs no timer. */
  readonly restart: () => void
  readonly clear: () => void
}

/** Starts waiting immediately; `ms: null` never calls back. Uses one timer at a time, however often it is restarted. */
export function createIdleWatch(ms: number | null, clock: Clock, onIdle: () => void): IdleWatch {
  let restartedAt = clock.monotonic()
  let clear = (): void => {}
  const wait = (rest: number): void => {
    clear = setWakingTimer(clock, rest, () => {
      const left = restartedAt + (ms ?? 0) - clock.monotonic()
      if (left > 0) wait(left)
      else onIdle()
    })
  }
  if (ms !== null) wait(ms)
  return {
    restart: () => {
      restartedAt = clock.monotonic()
    },
    clear: () => clear(),
  }
}
