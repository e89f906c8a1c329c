import { cutEnd } from '../internal/cut-text.ts'
import type { Part, UserMessage } from '../kernel/message.ts'

/** The most characters of a title. */
const maxChars = 100

/**
 * Control characters, halves of characters, and those that Unicode calls ignorable when drawn, such as direction
 * overrides: they could make a title look like another one. Joiners and the marks of emoji stay.
 */
const deceptive =
  /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu

/** A text as one line that may be shown in a list: short, and without characters that deceive. */
export function toTitle(text: string): string {
  const start = text.slice(0, 20 * maxChars)
  return cutEnd(start.replace(/\s+/gu, ' ').replace(deceptive, '').trim(), maxChars)
}

/** What a message is called in lists. */
export function topicOf({ content }: UserMessage): string {
  return toTitle(firstTextOf(content))
}

/** What the user wrote: the parts after it describe files to the model. */
function firstTextOf(content: readonly Part[]): string {
  for (const part of content) if (part.type === 'text' && part.text.trim() !== '') return part.text
  return ''
}
