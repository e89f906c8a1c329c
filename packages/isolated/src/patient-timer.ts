import { platformClock } from '@offthread/core/host'

/** Milliseconds that a timer may be late without a page that stood still. */
const usualDelayMs = 100
/** Milliseconds in which a page that stood still reads the messages that came meanwhile. */
const catchUpMs = 2000

/**
 * A timer for a message of a frame. A page that stood still (it was frozen, at a breakpoint, or busy) has not read the
 * message yet: then the timer waits a little longer.
 */
export function setPatientTimer(ms: number, callback: () => void): () => void {
  const { monotonic, setTimer } = platformClock
  const dueAt = monotonic() + ms
  let cancel = setTimer(ms, () => {
    if (monotonic() - dueAt <= usualDelayMs) return callback()
    cancel = setTimer(catchUpMs, callback)
  })
  return () => cancel()
}
