import type { AssistantContent, Message, Part } from './message.ts'
import type { State } from './state.ts'

const charsPerToken = 4
const charsOfImage = 6000

/**
 * The characters that the model reads of a message. An image counts as 1,500 tokens, and so does each page of a PDF; a
 * page is estimated at 36 KB.
 */
export function lengthOf(message: Message): number {
  let chars = 0
  for (const part of message.content) chars += lengthOfPart(part)
  return chars
}

function lengthOfPart(part: Part | AssistantContent): number {
  switch (part.type) {
    case 'text':
    case 'thinking':
      return part.text.length
    case 'image':
      return charsOfImage
    case 'document':
      return part.mediaType === 'text/plain'
        ? part.data.length
        : Math.max(charsOfImage, Math.floor(part.data.length / 8))
    case 'toolCall':
      return part.toolName.length + part.argsText.length
    case 'opaque':
      return JSON.stringify(part.data).length
  }
}

/** The length of the conversation in tokens, estimated at four characters each. */
export function contextTokens({ head, summary }: State): number {
  const covered = summary ? summary.coveredChars - summary.text.length : 0
  return tokensOf((head?.chars ?? 0) - covered)
}

/** An estimate of the tokens in a number of characters. `charsOf` is the reverse. */
export function tokensOf(chars: number): number {
  return Math.floor(chars / charsPerToken)
}

export function charsOf(tokens: number): number {
  return tokens * charsPerToken
}
