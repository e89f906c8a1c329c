import type { Clock } from './clock.ts'
import { withTimeout } from './with-timeout.ts'

/**
 * Loads code that a page needs only now. Rejects with a sentence for people, whatever the platform says of it, and if it
 * says nothing after `patienceMs` milliseconds: a connection may hang for ever.
 */
export async function loadPart<Part>(
  load: () => Promise<Part>,
  clock: Clock,
  patienceMs = 30_000,
): Promise<Part> {
  try {
    return await withTimeout(load(), patienceMs, { clock, late: () => undefined })
  } catch (cause) {
    throw new Error('a part of the app could not be loaded; if it stays so, reload the page', {
      cause,
    })
  }
}
