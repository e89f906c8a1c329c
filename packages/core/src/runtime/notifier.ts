import { frozen } from '../internal/freeze.ts'
import { reportLater } from '../internal/report-later.ts'
import type { AgentEvent } from '../kernel/events.ts'

/** Called with each event. An error that it throws is reported as uncaught and changes nothing. */
export type EventListener = (event: AgentEvent) => void

/** Passes events to listeners in order: each event to all listeners before the next event. */
export interface Notifier {
  readonly add: (event: AgentEvent) => void
  readonly flush: () => void
  /** `inOrder` puts the events into another order for this listener. */
  readonly subscribe: (
    listener: EventListener,
    inOrder?: (listener: EventListener) => EventListener,
  ) => () => void
}

/**
 * A listener cannot influence the log: it gets events after the step that wrote them is complete, and frozen, as the
 * state holds parts of them. Its errors are reported and go no further, and a command that it gives is the next step.
 */
export function createNotifier(report: (error: unknown) => void = reportLater): Notifier {
  const listeners = new Set<EventListener>()
  const queue: AgentEvent[] = []
  let flushing = false

  function notify(event: AgentEvent): void {
    for (const listener of [...listeners]) {
      try {
        listener(event)
      } catch (error) {
        report(error)
      }
    }
  }

  return {
    add: (event) => {
      queue.push(frozen(event))
    },
    flush: () => {
      if (flushing) return
      flushing = true
      for (let event = queue.shift(); event; event = queue.shift()) notify(event)
      flushing = false
    },
    subscribe: (listener, inOrder = (own) => own) => {
      // A new function, so that one listener can subscribe twice and unsubscribe once.
      const own = inOrder((event) => {
        // It may have unsubscribed at the event before, and an earlier listener may have unsubscribed it.
        if (listeners.has(own)) listener(event)
      })
      listeners.add(own)
      return () => listeners.delete(own)
    },
  }
}
