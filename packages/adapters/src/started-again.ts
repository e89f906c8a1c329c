import type { AgentEvent } from '@offthread/core'

/** Finds the starts of calls that have ended before, because a person has them run once more. */
export function createStartedAgain(): (event: AgentEvent) => boolean {
  const asked = new Set<string>()
  return (event) => {
    // A call that was cut off with its page has not ended: it goes on without another start.
    if (event.type === 'tool_retry_requested') asked.add(event.toolCallId)
    return event.type === 'tool_execution_start' && asked.delete(event.toolCallId)
  }
}
