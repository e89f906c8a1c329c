import {
  type AssistantContent,
  callsOf,
  type Message,
  type Part,
  type TextContent,
} from './message.ts'
import type { RunError } from './run-error.ts'
import type { ToolResult } from './tool-outcome.ts'

/** The text that takes the place of every text that was removed. Models read it. */
export const redactedText = '[redacted]'

const redactedPart: TextContent = { type: 'text', text: redactedText }

/** One text in place of all parts, so that not even their number shows. An empty content stays empty. */
export function redactedParts(content: readonly Part[]): readonly TextContent[] {
  return content.length === 0 ? [] : [redactedPart]
}

export function redactedMessage<M extends Message>(message: M): M
export function redactedMessage(message: Message): Message {
  return message.role === 'assistant'
    ? { ...message, content: redactedAnswer(message.content), redacted: true }
    : { ...message, content: redactedParts(message.content), redacted: true }
}

/**
 * Redacts an answer part by part, because what follows from it depends on its calls, and on whether it holds any text.
 */
export function redactedAnswer(content: readonly AssistantContent[]): readonly AssistantContent[] {
  return content.map(redactedAnswerPart)
}

function redactedAnswerPart(part: AssistantContent): AssistantContent {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? part : redactedPart
    // The provider does not get thinking back without its signature.
    case 'thinking':
      return { type: 'thinking', text: '' }
    case 'toolCall':
      return { ...part, argsText: redactedText }
    // Its form is the provider's own: no part of it can be removed safely.
    case 'opaque':
      return redactedPart
  }
}

/** The content of an answer without the arguments of some of its calls; the same content if it has none of them. */
export function withoutArgs(
  content: readonly AssistantContent[],
  isMeant: (toolCallId: string) => boolean,
): readonly AssistantContent[] {
  if (!callsOf(content).some(({ toolCallId }) => isMeant(toolCallId))) return content
  return content.map((part) =>
    part.type === 'toolCall' && isMeant(part.toolCallId)
      ? { ...part, argsText: redactedText }
      : part,
  )
}

export function redactedResult({ content, terminate }: ToolResult): ToolResult {
  return {
    content: redactedParts(content),
    ...(terminate !== undefined && { terminate }),
    redacted: true,
  }
}

/** The details of a failure go, because a provider or a tool may quote in them what was sent to it. */
export function redactedError({ details: _, ...error }: RunError): RunError {
  return { ...error, message: redactedText }
}
