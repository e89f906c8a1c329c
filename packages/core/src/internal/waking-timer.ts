import type { Clock } from './clock.ts'

/** Milliseconds that a timer may be late although the page did not stand still. */
const usualDelayMs = 100

/**
 * A timer for a message of a server or of another thread. When it fires late, the page stood still (it was frozen,
 * suspended or at a breakpoint), and so did the other side, or its message has not been read yet: then the timer waits
 * once more.
 */
export function setWakingTimer(clock: Clock, ms: number, callback: () => void): () => void {
  const dueAt = clock.monotonic() + ms
  let cancel = clock.setTimer(ms, () => {
    if (clock.monotonic() - dueAt > usualDelayMs) cancel = clock.setTimer(ms, callback)
    else callback()
  })
  return () => cancel()
}
