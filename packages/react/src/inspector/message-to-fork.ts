import type { AgentEvent } from '@offthread/core'

/** The last message of the conversation at a position of the log: a fork there ends with it. `null` before the first. */
export function messageToFork(events: readonly AgentEvent[], position: number): string | null {
  for (let at = Math.min(position, events.length) - 1; at >= 0; at -= 1) {
    const event = events[at]
    // An agent inside a call has a conversation of its own.
    if (event === undefined || event.agentId !== undefined) continue
    if (event.type === 'head_moved') return event.messageId
    if (event.type === 'message_end' && event.excluded !== true) return event.message.id
  }
  return null
}
