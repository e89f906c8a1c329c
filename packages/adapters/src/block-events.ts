import {
  type AgentEvent,
  type AssistantContent,
  type EventOf,
  type JsonObject,
  textOf,
} from '@offthread/core'
import { argsIn } from './args-in.ts'
import { createStartedAgain } from './started-again.ts'

/** A block with the names of open-agent-sdk. */
export type BlockEvent =
  | { readonly type: 'TextBlock'; readonly text: string }
  | {
      readonly type: 'ToolUseBlock'
      readonly id: string
      readonly name: string
      /** `{}` where the model wrote no JSON object; an error follows then. */
      readonly input: JsonObject
    }
  | {
      readonly type: 'ToolUseError'
      /** The call that failed: the id of its block. */
      readonly id: string
      readonly error: string
      /** The arguments as the model wrote them, or as they were given to a call that was run once more. */
      readonly raw_data: string
    }

/**
 * Maps the events of one agent to the blocks of open-agent-sdk. The blocks of an answer come when the
 * answer is whole, before any of its calls runs; an answer that failed or was tried again gives none. A call
 * that fails, names no tool or is held back by a hook gives a `ToolUseError` when it ends. A call that runs once more
 * gives its `ToolUseBlock` again, with the same id: ignore its earlier error. Events of sub-agents are left out.
 *
 * @example
 * ```ts
 * const toBlocks = createBlockEvents()
 * agent.subscribe((event) => toBlocks(event).forEach(show))
 * ```
 */
export function createBlockEvents(): (event: AgentEvent) => readonly BlockEvent[] {
  const rawData = new Map<string, string>()
  const ended = new Set<string>()
  const startsAgain = createStartedAgain()
  return (event) => {
    if (event.agentId !== undefined) return []
    const isAgain = startsAgain(event)
    switch (event.type) {
      case 'message_end': {
        const { message, excluded } = event
        if (message.role !== 'assistant' || excluded) return []
        for (const part of message.content) {
          if (part.type === 'toolCall') rawData.set(part.toolCallId, part.argsText)
        }
        return message.content.flatMap(blockOf)
      }
      case 'tool_retry_requested':
        if (event.args) rawData.set(event.toolCallId, JSON.stringify(event.args))
        return []
      case 'tool_execution_start': {
        const { toolCallId: id, toolName: name, args } = event
        // If the answer came before this adapter started, its text is not known.
        const raw = rawData.get(id) ?? (typeof args === 'string' ? args : JSON.stringify(args))
        rawData.set(id, raw)
        ended.delete(id)
        return isAgain ? [{ type: 'ToolUseBlock', id, name, input: argsIn(raw) }] : []
      }
      case 'tool_execution_end': {
        const { toolCallId: id, isError } = event
        const raw = rawData.get(id) ?? ''
        ended.add(id)
        return isError ? [{ type: 'ToolUseError', id, error: problemOf(event), raw_data: raw }] : []
      }
      case 'message_redacted':
        // Removed content must not be kept here, and a message with open calls is not removed. If a call runs once more, its
        // start states the arguments.
        for (const id of ended) rawData.delete(id)
        return []
      default:
        return []
    }
  }
}

function blockOf(part: AssistantContent): readonly BlockEvent[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'TextBlock', text: part.text }]
    case 'thinking':
    case 'opaque':
      return []
    case 'toolCall': {
      const { toolCallId: id, toolName: name, argsText } = part
      return [{ type: 'ToolUseBlock', id, name, input: argsIn(argsText) }]
    }
  }
}

function problemOf({ errorKind, toolName, result }: EventOf<'tool_execution_end'>): string {
  return errorKind === 'not_found' ? `Unknown tool: ${toolName}` : textOf(result.content)
}
