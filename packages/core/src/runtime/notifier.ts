import { reportLater } from '../internal/report-later.ts'
import type { AgentEvent } from '../kernel/events.ts'

/** Is told of an event. What it throws is reported as uncaught, and changes nothing. */
export type EventListener = (event: AgentEvent) => void

/** Tells listeners of events, in order, each event to all of them before the next. */
export interface Notifier {
  readonly add: (event: AgentEvent) => void
  readonly flush: () => void
  readonly subscribe: (listener: EventListener) => () => void
}

/**
 * A listener cannot influence the log: events are told after the step that wrote them is complete, what a
 * listener throws is reported and goes no further, and a command it gives is the next step.
 */
export function createNotifier(report: (error: unknown) => void = reportLater): Notifier {
  const listeners = new Set<EventListener>()
  const queue: AgentEvent[] = []
  let flushing = false

  function tell(event: AgentEvent): void {
    for (const listener of [...listeners]) {
      // One of the others may have made it leave.
      if (!listeners.has(listener)) continue
      try {
        listener(event)
      } catch (error) {
        report(error)
      }
    }
  }

  return {
    add: (event) => {
      queue.push(event)
    },
    flush: () => {
      if (flushing) return
      flushing = true
      for (let event = queue.shift(); event; event = queue.shift()) tell(event)
      flushing = false
    },
    subscribe: (listener) => {
      // Its own function, so that one listener can subscribe twice and leave once.
      const own: EventListener = (event) => listener(event)
      listeners.add(own)
      return () => listeners.delete(own)
    },
  }
}
