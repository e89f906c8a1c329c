import { type AssistantMessage, type Message, type Part, textOf } from '@offthread/core'
import type { AgUiContent, AgUiMessage, AgUiPart, AgUiSpokenMessage } from './ag-ui-types.ts'

/** A text if the content is text only, else parts. */
export function contentOf(content: readonly Part[]): AgUiContent {
  return content.every(({ type }) => type === 'text') ? textOf(content) : content.map(partOf)
}

function partOf(part: Part): AgUiPart {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const { type, data: value, mediaType: mimeType } = part
  return { type, source: { type: 'data', value, mimeType } }
}

/** The id of what the model thought in one block of an answer. */
export function reasoningId(messageId: string, contentIndex: number): string {
  return `${messageId}:${contentIndex}`
}

/** The id of the message that has the result of a call. */
export function resultId(toolCallId: string): string {
  return `${toolCallId}:result`
}

/** The messages of one answer, as the consumer gets them: its thoughts are messages of their own. */
export function messagesOfAnswer({ id, content }: AssistantMessage): readonly AgUiMessage[] {
  const thoughts = content.flatMap((part, index): AgUiMessage | AgUiMessage[] =>
    part.type === 'thinking'
      ? { id: reasoningId(id, index), role: 'reasoning', content: part.text }
      : [],
  )
  const toolCalls = content.flatMap((part) =>
    part.type === 'toolCall'
      ? {
          id: part.toolCallId,
          type: 'function' as const,
          function: { name: part.toolName, arguments: part.argsText },
        }
      : [],
  )
  const text = textOf(content)
  const hasText = content.some(({ type }) => type === 'text')
  if (!hasText && toolCalls.length === 0) return thoughts
  const calling = toolCalls.length > 0 && { toolCalls }
  return [...thoughts, { id, role: 'assistant', ...(hasText && { content: text }), ...calling }]
}

/** A message that is no answer, as the consumer gets it. */
export function spokenMessage({
  id,
  role,
  content,
}: Exclude<Message, AssistantMessage>): AgUiSpokenMessage {
  return role === 'system'
    ? { id, role, content: textOf(content) }
    : { id, role: 'user', content: contentOf(content) }
}
