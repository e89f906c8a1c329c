import type { Message } from './message.ts'
import type { State } from './state.ts'

const charsPerToken = 4
const charsOfImage = 6000

/** Characters the model reads of a message. An image counts as 1,500 tokens. */
export function lengthOf(message: Message): number {
  let chars = 0
  for (const part of message.content) {
    if (part.type === 'text' || part.type === 'thinking') chars += part.text.length
    else if (part.type === 'image') chars += charsOfImage
    else if (part.type === 'toolCall') chars += part.toolName.length + part.argsText.length
  }
  return chars
}

/** How long the conversation is for the model, in tokens: an estimate of four characters each. */
export function contextTokens({ head, summary }: State): number {
  const covered = summary ? summary.coveredChars - summary.text.length : 0
  return tokensOf((head?.chars ?? 0) - covered)
}

/** The tokens of so many characters, and the other way round. */
export function tokensOf(chars: number): number {
  return Math.floor(chars / charsPerToken)
}

export function charsOf(tokens: number): number {
  return tokens * charsPerToken
}
