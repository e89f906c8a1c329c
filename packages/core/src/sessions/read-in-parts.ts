import type { DurableEvent } from '../kernel/events.ts'
import type { SessionStorage } from '../storage/port.ts'

/** Events that are read at once. */
const partSize = 500

/** The events of a session, in order, of which only some are in memory at a time. */
export async function* readInParts(
  storage: SessionStorage,
  sessionId: string,
  end: number,
): AsyncGenerator<DurableEvent> {
  for (let from = 0; from < end; from += partSize) {
    yield* await storage.read(sessionId, from, Math.min(from + partSize, end))
  }
}
