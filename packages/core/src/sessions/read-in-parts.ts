import type { DurableEvent } from '../kernel/events.ts'
import type { SessionStorage } from '../storage/port.ts'

/** How many events are read at once. */
const partSize = 500

/**
 * The events of a session up to a number, in order, with only a part in memory at a time. `null` stands for an event
 * that cannot be read while others can.
 */
export async function* readInParts(
  storage: SessionStorage,
  sessionId: string,
  end: number,
): AsyncGenerator<DurableEvent | null> {
  for (let from = 0; from < end; from += partSize) {
    const to = Math.min(from + partSize, end)
    try {
      yield* await storage.read(sessionId, from, to)
    } catch (error) {
      const single = await readSingly(storage, sessionId, { from, to })
      if (single.every((event) => event === null)) throw error
      yield* single
    }
  }
}

async function readSingly(
  storage: SessionStorage,
  sessionId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly (DurableEvent | null)[]> {
  const events: (DurableEvent | null)[] = []
  for (let seq = from; seq < to; seq += 1) {
    const [event = null] = await storage.read(sessionId, seq, seq + 1).catch(() => [])
    events.push(event)
  }
  return events
}
