import type { AgentEvent, EventOf, Json, RunEndReason } from '@offthread/core'
import { textOf } from '@offthread/core'

/** An event with the names of the "Tool Execution Loop Implementation". */
export type ChatEvent =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'tool_call_start'
      readonly index: number
      readonly id: string
      readonly name: string
    }
  | { readonly type: 'tool_call_delta'; readonly index: number; readonly delta: string }
  /** A block is whole: the deltas of a call can be read as JSON now. */
  | { readonly type: 'content_block_stop'; readonly index: number }
  | {
      readonly type: 'tool_result'
      readonly tool_call_id: string
      readonly success: boolean
      readonly content: Json
      readonly error?: string
    }
  | {
      readonly type: 'done'
      readonly max_turns_reached: boolean
      readonly reason: RunEndReason
    }
  | { readonly type: 'error'; readonly error: string }

/**
 * Maps the events of one agent to those of a chat stream. A run ends with `done`, or with `error` if it
 * failed. `content` of a result is its structured content where the tool has some, else its text. Thinking
 * and events of sub-agents are left out.
 *
 * @example
 * ```ts
 * const toChat = createChatEvents()
 * agent.subscribe((event) => toChat(event).map(toServerSentEvent).forEach(send))
 * ```
 */
export function createChatEvents(): (event: AgentEvent) => readonly ChatEvent[] {
  return (event) => {
    if (event.agentId !== undefined) return []
    switch (event.type) {
      case 'message_update':
        return stepOf(event)
      case 'tool_execution_end':
        return [resultOf(event)]
      case 'agent_end': {
        const { reason, error, maxTurnsReached } = event
        return reason === 'error'
          ? [{ type: 'error', error: error?.message ?? 'The run failed.' }]
          : [{ type: 'done', max_turns_reached: maxTurnsReached, reason }]
      }
      default:
        return []
    }
  }
}

function stepOf({ assistantMessageEvent: step }: EventOf<'message_update'>): readonly ChatEvent[] {
  const { contentIndex: index } = step
  switch (step.type) {
    case 'text_delta':
      return [{ type: 'text', text: step.delta }]
    case 'toolcall_start':
      return [{ type: 'tool_call_start', index, id: step.toolCallId, name: step.toolName }]
    case 'toolcall_delta':
      return [{ type: 'tool_call_delta', index, delta: step.delta }]
    case 'text_end':
    case 'toolcall_end':
      return [{ type: 'content_block_stop', index }]
    default:
      return []
  }
}

function resultOf({ toolCallId, result, isError }: EventOf<'tool_execution_end'>): ChatEvent {
  const text = textOf(result.content)
  return {
    type: 'tool_result',
    tool_call_id: toolCallId,
    success: !isError,
    content: result.structuredContent ?? text,
    ...(isError && { error: text }),
  }
}
