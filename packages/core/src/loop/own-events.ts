import type { AgentEvent, EventOf } from '../kernel/events.ts'
import type { AssistantMessage, ToolResultMessage } from '../kernel/message.ts'

/**
 * The events of calls in a loop of your own: their starts, progress, approvals, retries and ends, `tools_end`, the
 * result messages, and a warning where a hook failed. Other events are left out, so `seq` has gaps. Events of an agent
 * that runs inside a call carry its `agentId`.
 */
export type ToolCallEvent =
  | Extract<AgentEvent, { readonly type: `tool_${string}` }>
  | EventOf<'tools_end' | 'auto_retry_start' | 'auto_retry_end' | 'warning'>
  | (EventOf<'message_start' | 'message_end'> & { readonly message: ToolResultMessage })

/** The events of one answer. Each attempt is a message of its own; a failed one ends as `excluded`. */
export type AnswerEvent =
  | EventOf<'message_update' | 'message_checkpoint'>
  | (EventOf<'message_start' | 'message_end'> & { readonly message: AssistantMessage })

export function isOfCalls(event: AgentEvent): event is ToolCallEvent {
  if (isOfMessage(event)) return event.message.role === 'toolResult'
  if (event.type === 'warning') return event.code === 'hook_failed'
  return 'scope' in event ? event.scope === 'tool' : /^tools?_/.test(event.type)
}

export function isOfAnswer(event: AgentEvent): event is AnswerEvent {
  if (isOfMessage(event)) return event.message.role === 'assistant'
  return event.type === 'message_update' || event.type === 'message_checkpoint'
}

function isOfMessage(event: AgentEvent): event is EventOf<'message_start' | 'message_end'> {
  return event.type === 'message_start' || event.type === 'message_end'
}

/** A listener that passes on only the events for which `isWanted` is true. */
export function only<Wanted extends AgentEvent>(
  isWanted: (event: AgentEvent) => event is Wanted,
  listener: ((event: Wanted) => void) | undefined,
): (event: AgentEvent) => void {
  return (event) => {
    if (isWanted(event)) listener?.(event)
  }
}
