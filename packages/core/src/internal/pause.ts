import { untilAborted } from './abort.ts'
import type { Clock } from './clock.ts'

/** Waits; rejects with the signal's reason if that aborts first. */
export function pause(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  let clear = (): void => {}
  const waited = new Promise<void>((resolve) => {
    clear = clock.setTimer(ms, resolve)
  })
  return untilAborted(waited, signal).finally(() => clear())
}
