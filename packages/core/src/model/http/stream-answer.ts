import { yieldToPage } from '../../internal/yield-to-page.ts'
import type { ModelChunk } from '../port.ts'

/** One answer that is asked for, and how its events are read. */
export interface Asked<Event> {
  /** Takes the keys out of the chunks, where the server has any. */
  readonly withoutKeys: (chunks: Iterable<ModelChunk>) => Iterable<ModelChunk>
  /** The events of the answer: see `exchange`. */
  readonly events: AsyncIterable<Event>
  /** The chunks of one event. */
  readonly read: (event: Event) => Iterable<ModelChunk>
  /** The chunks of the end, where the answer ends with its last event. Throws where it has an end of its own. */
  readonly end: () => Iterable<ModelChunk>
}

/** The chunks of one answer, up to its `finish`. `ask` is called when the first chunk is read. */
export async function* streamAnswer<Event>(
  ask: () => Asked<Event>,
  signal: AbortSignal,
): AsyncGenerator<ModelChunk, void, undefined> {
  const { withoutKeys, events, read, end } = ask()
  for await (const event of events) {
    // To read the event has taken its time, too.
    await yieldToPage()
    for (const chunk of withoutKeys(read(event))) {
      await yieldToPage()
      // One event may be several chunks; none of them comes after the abort.
      signal.throwIfAborted()
      yield chunk
      if (chunk.type === 'finish') return
    }
  }
  for (const chunk of withoutKeys(end())) {
    await yieldToPage()
    signal.throwIfAborted()
    yield chunk
  }
}
