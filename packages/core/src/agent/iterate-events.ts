import { untilAborted } from '../internal/abort.ts'
import type { AgentEvent, DurableEvent } from '../kernel/events.ts'
import type { EventListener } from '../runtime/notifier.ts'

/** What an iteration over events needs. */
export interface EventSource {
  /** Resolves when the log is read; `null` when it is. */
  readonly opened: Promise<void> | null
  readonly log: readonly DurableEvent[]
  readonly after: number
  readonly subscribe: (listener: EventListener) => () => void
  /** Ends the iteration. */
  readonly signal: AbortSignal
}

/** The stored events after a number, then the live ones. Nothing is missed or told twice in between. */
export async function* iterateEvents(source: EventSource): AsyncGenerator<AgentEvent, void> {
  const { opened, log, after, subscribe, signal } = source
  if (opened) {
    await untilAborted(opened, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }
  let queue: AgentEvent[] = log.slice(Math.max(0, after + 1))
  let wake = (): void => {}
  const unsubscribe = subscribe((event) => {
    queue.push(event)
    wake()
  })
  const end = (): void => wake()
  signal.addEventListener('abort', end, { once: true })
  try {
    while (!signal.aborted) {
      // Not one by one off the front: that is slow for a long log.
      const told = queue
      queue = []
      for (const event of told) {
        yield event
        if (signal.aborted) return
      }
      if (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', end)
  }
}
