import type { Clock } from './clock.ts'
import { withTimeout } from './with-timeout.ts'

/** Milliseconds after which code that is still being loaded counts as lost: a connection may hang for ever. */
const patienceMs = 30_000

/**
 * Loads code that a page needs only now. Rejects with a sentence for people, whatever the platform says of it, and after
 * 30 s if it says nothing.
 */
export async function loadPart<Part>(load: () => Promise<Part>, clock: Clock): Promise<Part> {
  try {
    return await withTimeout(load(), patienceMs, { clock, late: () => undefined })
  } catch (cause) {
    throw new Error('a part of the app could not be loaded; if it stays so, reload the page', {
      cause,
    })
  }
}
