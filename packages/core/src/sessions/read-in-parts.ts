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
  let size = partSize
  for (let from = 0, to = 0; from < end; from = to) {
    to = Math.min(from + size, end)
    try {
      const events = await storage.read(sessionId, from, to)
      // A damaged session may have one event whose number is far from all others.
      size = events.length > 0 ? partSize : 2 * size
      yield* events
    } catch (error) {
      if (size > partSize) {
        size = partSize
        to = from
        continue
      }
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
