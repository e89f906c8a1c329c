import type { EventOf } from '../kernel/events.ts'
import type { EventListener } from './notifier.ts'

/**
 * Tells a listener of the ends of calls in call order, after all calls of the answer are done. Everything else
 * is told as it comes, so an end is told later than its number says.
 */
export function inCallOrder(listener: EventListener): EventListener {
  const held = new Map<string, EventOf<'tool_execution_end'>>()
  return (event) => {
    if (event.type === 'tool_execution_end') {
      held.set(event.toolCallId, event)
      return
    }
    if (event.type === 'tools_end') {
      for (const toolCallId of event.toolCallIds) {
        const end = held.get(toolCallId)
        if (end) listener(end)
        held.delete(toolCallId)
      }
    }
    listener(event)
  }
}
