import type { JsonObject } from '../internal/json.ts'
import type { AgentEvent, EventOf } from '../kernel/events.ts'
import type { AssistantContent } from '../kernel/message.ts'
import { readArgs, textOf } from '../kernel/message.ts'

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
      readonly error: string
      /** The arguments as the model wrote them. */
      readonly raw_data: string
    }

/**
 * Maps the events of one agent to the blocks of open-agent-sdk. The blocks of an answer come when the
 * answer is whole, before any of its calls runs; an answer that failed or was tried again gives none. A call
 * that fails, names no tool or is held back by a hook gives a `ToolUseError` when it ends. Events of
 * sub-agents are left out.
 *
 * @example
 * ```ts
 * const toBlocks = createBlockEvents()
 * agent.subscribe((event) => toBlocks(event).forEach(show))
 * ```
 */
export function createBlockEvents(): (event: AgentEvent) => readonly BlockEvent[] {
  const rawData = new Map<string, string>()
  return (event) => {
    if (event.agentId !== undefined) return []
    switch (event.type) {
      case 'message_end': {
        const { message, excluded } = event
        if (message.role !== 'assistant' || excluded) return []
        for (const part of message.content) {
          if (part.type === 'toolCall') rawData.set(part.toolCallId, part.argsText)
        }
        return message.content.flatMap(blockOf)
      }
      case 'tool_execution_end': {
        const raw = rawData.get(event.toolCallId) ?? ''
        rawData.delete(event.toolCallId)
        return event.isError
          ? [{ type: 'ToolUseError', error: problemOf(event), raw_data: raw }]
          : []
      }
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
      const reading = readArgs(part.argsText)
      const { toolCallId: id, toolName: name } = part
      return [{ type: 'ToolUseBlock', id, name, input: reading.ok ? reading.args : {} }]
    }
  }
}

function problemOf({ errorKind, toolName, result }: EventOf<'tool_execution_end'>): string {
  return errorKind === 'not_found' ? `Unknown tool: ${toolName}` : textOf(result.content)
}
