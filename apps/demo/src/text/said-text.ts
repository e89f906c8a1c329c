import type { Message, Part } from '@offthread/core'
import { textOfParts } from './text-of-parts.ts'

/** A conversation as plain text: who said what, with the calls and their results. */
export function saidText(messages: readonly Message[]): string {
  return messages.map((message) => `${titleOf(message)}\n${textOf(message)}\n`).join('\n')
}

function titleOf(message: Message): string {
  return message.role === 'toolResult' ? `# result of ${message.toolName}` : `# ${message.role}`
}

function textOf(message: Message): string {
  if (message.role !== 'assistant') return textOfParts(message.content)
  const texts = message.content.filter(
    (part): part is Part & { type: 'text' } => part.type === 'text',
  )
  const calls = message.content.flatMap((part) =>
    part.type === 'toolCall' ? [`${part.toolName} ${part.argsText}`] : [],
  )
  return [textOfParts(texts), ...calls].filter(Boolean).join('\n')
}
