import type { AgentEvent, AssistantContent, EventOf, Json, Message, Part } from '@offthread/core'
import { argsIn } from './args-in.ts'

/** What a tool returned, or has reported until now. */
export interface PiToolResult {
  readonly content: readonly Part[]
  readonly details?: Json
}

/** One block of an answer. The calls are the blocks of type `tool_call`. */
export type PiContent =
  | Part
  | { readonly type: 'thinking'; readonly thinking: string }
  | {
      readonly type: 'tool_call'
      readonly id: string
      readonly name: string
      /** `{}` where the model wrote no JSON object. */
      readonly arguments: Json
    }

/** A message of the conversation. */
export type PiMessage =
  | { readonly role: 'user' | 'system'; readonly content: readonly PiContent[] }
  | {
      readonly role: 'assistant'
      readonly content: readonly PiContent[]
      /** The answer failed or was aborted: it is no part of the conversation. */
      readonly excluded?: boolean
    }
  | {
      readonly role: 'tool_result'
      readonly tool_call_id: string
      readonly tool_name: string
      readonly content: readonly Part[]
      readonly is_error: boolean
    }

interface OfCall {
  readonly tool_call_id: string
  readonly tool_name: string
}

/** An event with the names of the "Agent Tool Execution Module". */
export type PiEvent =
  | (OfCall & { readonly type: 'ToolExecutionStartEvent'; readonly args: Json })
  | (OfCall & {
      readonly type: 'ToolExecutionUpdateEvent'
      readonly args: Json
      readonly partial_result: PiToolResult
    })
  | (OfCall & {
      readonly type: 'ToolExecutionEndEvent'
      readonly result: PiToolResult
      readonly is_error: boolean
    })
  | { readonly type: 'MessageStartEvent'; readonly message: PiMessage }
  | { readonly type: 'MessageEndEvent'; readonly message: PiMessage }

/**
 * Maps the events of one agent to `ToolExecutionStartEvent` and its kind. The ends of a batch are held
 * back until all of its calls are done, then come in call order, the result messages after them. Of a call that runs
 * once more, the end comes before its next start. Events of sub-agents are left out.
 *
 * @example
 * ```ts
 * const toPi = createPiEvents()
 * agent.subscribe((event) => toPi(event).forEach(show))
 * ```
 */
export function createPiEvents(): (event: AgentEvent) => readonly PiEvent[] {
  const args = new Map<string, Json>()
  const ends = new Map<string, PiEvent>()

  function released(toolCallId: string): readonly PiEvent[] {
    const end = ends.get(toolCallId)
    ends.delete(toolCallId)
    return end ? [end] : []
  }

  return (event) => {
    if (event.agentId !== undefined) return []
    switch (event.type) {
      case 'tool_execution_start':
        args.set(event.toolCallId, event.args)
        return [
          ...released(event.toolCallId),
          { type: 'ToolExecutionStartEvent', ...named(event), args: event.args },
        ]
      case 'tool_execution_update':
        return [
          {
            type: 'ToolExecutionUpdateEvent',
            ...named(event),
            args: args.get(event.toolCallId) ?? {},
            partial_result: resultOf(event.partialResult),
          },
        ]
      case 'tool_execution_end':
        args.delete(event.toolCallId)
        ends.set(event.toolCallId, endOf(event))
        return []
      case 'tools_end':
        return event.toolCallIds.flatMap(released)
      case 'message_start':
        return [{ type: 'MessageStartEvent', message: messageOf(event.message) }]
      case 'message_end':
        return [
          { type: 'MessageEndEvent', message: messageOf(event.message, event.excluded === true) },
        ]
      default:
        return []
    }
  }
}

function named(event: { readonly toolCallId: string; readonly toolName: string }): OfCall {
  return { tool_call_id: event.toolCallId, tool_name: event.toolName }
}

function endOf(event: EventOf<'tool_execution_end'>): PiEvent {
  return {
    type: 'ToolExecutionEndEvent',
    ...named(event),
    result: resultOf(event.result),
    is_error: event.isError,
  }
}

function resultOf({ content, details }: PiToolResult): PiToolResult {
  return { content, ...(details !== undefined && { details }) }
}

function messageOf(message: Message, excluded = false): PiMessage {
  switch (message.role) {
    case 'assistant':
      return {
        role: 'assistant',
        content: message.content.flatMap(contentOf),
        ...(excluded && { excluded }),
      }
    case 'toolResult': {
      const { content, isError } = message
      return { role: 'tool_result', ...named(message), content, is_error: isError }
    }
    default:
      return { role: message.role, content: message.content }
  }
}

function contentOf(part: AssistantContent): readonly PiContent[] {
  switch (part.type) {
    case 'text':
      return [part]
    case 'thinking':
      return [{ type: 'thinking', thinking: part.text }]
    case 'opaque':
      return []
    case 'toolCall': {
      const { toolCallId: id, toolName: name, argsText } = part
      return [{ type: 'tool_call', id, name, arguments: argsIn(argsText) }]
    }
  }
}
