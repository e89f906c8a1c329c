import { yieldToPage } from '../../internal/yield-to-page.ts'
import type { DurableEvent } from '../../kernel/events.ts'
import { type SessionStorage, StorageError } from '../../storage/port.ts'

/** How many events are read at once: one reading costs as much as a few dozen events. */
const pageSize = 2048
/** How many events are folded in a few milliseconds. */
const sliceSize = 256

/**
 * The stored events of a session from a number on, in slices. The page gets its turn in between, and the next events are
 * read while these are used.
 */
export async function* readPages(
  storage: SessionStorage,
  sessionId: string,
  from: number,
): AsyncGenerator<readonly DurableEvent[], void> {
  const readAt = (start: number) => storage.read(sessionId, start, start + pageSize)
  let at = from
  let reading: Promise<readonly DurableEvent[]> | null = readAt(from)
  while (reading) {
    const events: readonly DurableEvent[] = await reading
    if (!isList(events)) {
      throw new StorageError('unknown', 'The stored session is no list of events.')
    }
    at += events.length
    reading = events.length < pageSize ? null : readAt(at)
    // A failure is reported where the page is awaited. It is handled here as well, because that may never happen.
    reading?.catch(() => {})
    for (let start = 0; start < events.length; start += sliceSize) {
      if (start > 0) await yieldToPage()
      yield events.slice(start, start + sliceSize)
    }
    if (reading) await yieldToPage()
  }
}

// A storage may return any value.
function isList(given: unknown): boolean {
  return Array.isArray(given)
}
