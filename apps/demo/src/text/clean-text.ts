import type { Part } from '@offthread/core'

// Characters that make text look different from its content: direction overrides, invisible
// spaces, and tag characters, which can hide whole sentences. The joiner of emoji is kept.
const deceptive =
  /[\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]|\u{E0000}|[\u{E0001}-\u{E007F}]/gu

/** Removes characters that only deceive, from text of a model, a tool or a file. */
export function cleanText(text: string): string {
  return text.replace(deceptive, '')
}

/** The text of a result, without its pictures. */
export function textOfParts(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
