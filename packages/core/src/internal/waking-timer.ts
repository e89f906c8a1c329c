import type { Clock } from './clock.ts'

/** Milliseconds that a timer may be late without a page that stood still. */
const usualDelayMs = 100

/**
 * A timer for what a server or another thread has to say. When it fires late, the page stood still (it was frozen,
 * suspended or at a breakpoint), and so did the other side, or what it said has not been read: then it waits once more.
 */
export function setWakingTimer(clock: Clock, ms: number, callback: () => void): () => void {
  const dueAt = clock.monotonic() + ms
  let cancel = clock.setTimer(ms, () => {
    if (clock.monotonic() - dueAt > usualDelayMs) cancel = clock.setTimer(ms, callback)
    else callback()
  })
  return () => cancel()
}
