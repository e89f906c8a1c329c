import { untilAborted } from '@offthread/core/model'

/** The items as they come. Throws `signal.reason` as soon as the signal is aborted, whatever the source does. */
export async function* abortable<Item>(
  items: AsyncIterable<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item, void, undefined> {
  const iterator = items[Symbol.asyncIterator]()
  try {
    while (true) {
      signal.throwIfAborted()
      const step = await untilAborted(iterator.next(), signal)
      if (step.done) return
      yield step.value
    }
  } finally {
    // Closes the connection. Not awaited: a body that hangs would hang this too.
    iterator.return?.().catch(() => undefined)
  }
}
