import type { AssistantContent, Message, Part } from './message.ts'
import type { State } from './state.ts'

const charsPerToken = 4

/** What an image counts as, and each page of a PDF: 1,500 tokens. */
const charsOfImage = 6000

/** Base64 characters of a PDF that count as one: a page is estimated at 36 KB, which are 48,000 of them. */
const base64PerChar = 8

/** The characters that the model reads of a message, estimated for what is no text. */
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
        : Math.max(charsOfImage, Math.floor(part.data.length / base64PerChar))
    case 'toolCall':
      return part.toolName.length + part.argsText.length
    case 'opaque':
      return JSON.stringify(part.data).length
  }
}

/** The length of the conversation in tokens, estimated at four characters each. */
export function contextTokens({ head, summary }: State): number {
  const covered = summary ? summary.coveredChars - summary.text.length : 0
  return toTokens((head?.chars ?? 0) - covered)
}

/** An estimate of the tokens in a number of characters. */
export function toTokens(chars: number): number {
  return Math.floor(chars / charsPerToken)
}

/** An estimate of the characters that a number of tokens holds. */
export function toChars(tokens: number): number {
  return tokens * charsPerToken
}
