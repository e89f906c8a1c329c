/** Cuts the end off a text that has more than `maxChars` characters. */
export function cutEnd(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const end = maxChars - 1
  // A clone, because a piece of a text may keep all of the text in memory.
  return structuredClone(`${text.slice(0, splitsPair(text, end) ? end - 1 : end)}…`)
}

/** Whether a cut before this index would leave half of a character that takes two units of UTF-16. */
export function splitsPair(text: string, index: number): boolean {
  const unit = text.charCodeAt(index - 1)
  return unit >= 0xd800 && unit <= 0xdbff
}
