import { pageTurn } from '../../internal/page-turn.ts'
import type { ModelChunk } from '../port.ts'

/** One answer that is asked for, and how its events are read. */
export interface Asked<Event> {
  /** See `exchange`. */
  readonly events: AsyncIterable<Event>
  /** The chunks of one event. */
  readonly read: (event: Event) => Iterable<ModelChunk>
  /** The chunks of the end, where the answer ends with its last event. Throws where it has an end of its own. */
  readonly end: () => Iterable<ModelChunk>
}

/** The chunks of one answer, up to its `finish`. `ask` is called when the first chunk is wanted. */
export async function* streamAnswer<Event>(
  ask: () => Asked<Event>,
  signal: AbortSignal,
): AsyncGenerator<ModelChunk, void, undefined> {
  const { events, read, end } = ask()
  for await (const event of events) {
    for (const chunk of read(event)) {
      await pageTurn()
      // One event may be several chunks; none of them comes after the abort.
      signal.throwIfAborted()
      yield chunk
      if (chunk.type === 'finish') return
    }
  }
  for (const chunk of end()) {
    await pageTurn()
    signal.throwIfAborted()
    yield chunk
  }
}
