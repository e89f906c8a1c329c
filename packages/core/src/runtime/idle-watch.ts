import type { Clock } from '../internal/clock.ts'

/** Calls back when nothing was heard for some time. */
export interface IdleWatch {
  /** Something was heard. */
  readonly restart: () => void
  readonly clear: () => void
}

/** Begins to wait at once; `null` waits for ever. One timer, however much is heard. */
export function createIdleWatch(ms: number | null, clock: Clock, onIdle: () => void): IdleWatch {
  let heardAt = clock.monotonic()
  let clear = (): void => {}
  const wait = (rest: number): void => {
    clear = clock.setTimer(rest, () => {
      const left = heardAt + (ms ?? 0) - clock.monotonic()
      if (left > 0) wait(left)
      else onIdle()
    })
  }
  if (ms !== null) wait(ms)
  return {
    restart: () => {
      heardAt = clock.monotonic()
    },
    clear: () => clear(),
  }
}
