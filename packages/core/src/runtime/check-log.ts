import type { DurableEvent } from '../kernel/events.ts'
import { StorageError } from '../storage/port.ts'

/** Checks that a stored log can be continued. Throws a `StorageError` that names the first bad event. */
export function checkLog(log: readonly DurableEvent[]): void {
  const newer = log.find((event) => event.v !== 1)
  if (newer) {
    throw new StorageError(
      'unknown',
      'the stored session was written by a newer version: reload the page to get it',
    )
  }
  const bad = log.findIndex((event, index) => event.seq !== index)
  if (bad < 0) return
  throw new StorageError(
    'unknown',
    `The stored session is damaged at event ${bad}. Export it, and begin a new one.`,
  )
}
