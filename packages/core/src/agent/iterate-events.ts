import { untilAborted } from '../internal/abort.ts'
import type { AgentEvent, DurableEvent } from '../kernel/events.ts'
import type { EventListener } from '../runtime/notifier.ts'

/** The parts that an iteration over events needs. */
export interface EventSource {
  /** Resolves when the log is read; `null` if it is read already. */
  readonly opened: Promise<void> | null
  /** The events before those of the log, from a number on. */
  readonly past: (from: number) => AsyncIterable<readonly DurableEvent[]> | undefined
  readonly log: readonly DurableEvent[]
  readonly after: number
  readonly subscribe: (listener: EventListener) => () => void
  /** Ends the iteration. */
  readonly signal: AbortSignal
}

/** The stored events after a number, then the live ones. No event is missing or comes twice where they meet. */
export async function* iterateEvents(source: EventSource): AsyncGenerator<AgentEvent, void> {
  const { opened, signal } = source
  if (opened) {
    await untilAborted(opened, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }
  for await (const events of pagesOf(source)) {
    for (const event of events) {
      if (signal.aborted) return
      yield event
    }
  }
}

// Yields all that waits as one list: taking events one by one off the front of a queue is slow for a long log.
async function* pagesOf({ past, log, after, subscribe, signal }: EventSource) {
  let queue: AgentEvent[] = log.filter(({ seq }) => seq > after)
  let wake = (): void => {}
  const unsubscribe = subscribe((event) => {
    queue.push(event)
    wake()
  })
  const end = (): void => wake()
  signal.addEventListener('abort', end, { once: true })
  try {
    const before = past(after + 1)
    if (before) yield* before
    while (!signal.aborted) {
      const events = queue
      queue = []
      yield events
      if (queue.length === 0 && !signal.aborted)
        await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', end)
  }
}
