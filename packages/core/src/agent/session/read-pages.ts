import { yieldToPage } from '../../internal/yield-to-page.ts'
import type { DurableEvent } from '../../kernel/events.ts'
import { type SessionStorage, StorageError } from '../../storage/port.ts'
import { isLate } from './in-time.ts'

/** How many events are read at once: one reading costs as much as a few dozen events. */
const pageSize = 2048
/** How many events are folded in a few milliseconds. */
const sliceSize = 256

/** The stored events, in their order; `null` is one that cannot be read while others can. None follows it. */
export type Page = readonly (DurableEvent | null)[]

/**
 * The stored events of a session from a number on, in slices. The page gets its turn in between, and the next events are
 * read while these are used.
 */
export async function* readPages(
  storage: SessionStorage,
  sessionId: string,
  from: number,
): AsyncGenerator<Page, void> {
  const read = (start: number, size: number) => storage.read(sessionId, start, start + size)
  const readAt = (start: number): Promise<Page> =>
    read(start, pageSize).catch((error: unknown) => readUpToDamage(read, start, error))
  let at = from
  let reading: Promise<Page> | null = readAt(from)
  while (reading) {
    const events: Page = await reading
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

/** Finds the first event of a page that cannot be read. Throws the error unless there is one, and others can be read. */
async function readUpToDamage(
  read: (start: number, size: number) => Promise<readonly DurableEvent[]>,
  start: number,
  error: unknown,
): Promise<Page> {
  // Every further question may take as long.
  if (isLate(error)) throw error
  const events: DurableEvent[] = []
  const isRefused = (from: number) =>
    read(from, 1).then(
      () => false,
      () => true,
    )
  let at = start
  for (let size = pageSize / 2; size >= 1; size /= 2) {
    const part = await read(at, size).catch(() => null)
    if (!part) continue
    events.push(...part)
    at += size
  }
  const isDamaged = (await isRefused(at)) && (events.length > 0 || !(await isRefused(at + 1)))
  if (!isDamaged) throw error
  return [...events, null]
}

// A storage may return any value.
function isList(given: unknown): boolean {
  return Array.isArray(given)
}
