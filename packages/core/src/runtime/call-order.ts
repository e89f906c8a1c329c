import { reportLater } from '../internal/report-later.ts'
import type { EventOf } from '../kernel/events.ts'
import type { EventListener } from './notifier.ts'

/**
 * Delays the ends of calls until all calls of their answer are done, and passes them on in call order. Every other
 * event is passed on at once, so an end comes later than its `seq` says. An end that a retry replaces comes before the
 * retry.
 */
export function inCallOrder(listener: EventListener): EventListener {
  const held = new Map<string, EventOf<'tool_execution_end'>>()

  function release(toolCallId: string): void {
    const end = held.get(toolCallId)
    held.delete(toolCallId)
    try {
      if (end) listener(end)
    } catch (error) {
      // What it throws at one end must not keep the others from it.
      reportLater(error)
    }
  }

  return (event) => {
    if (event.type === 'tool_execution_end') {
      held.set(event.toolCallId, event)
      return
    }
    if (event.type === 'tool_retry_requested') release(event.toolCallId)
    if (event.type === 'tools_end') event.toolCallIds.forEach(release)
    listener(event)
  }
}
