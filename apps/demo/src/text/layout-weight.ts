const slowLetter = /[^\0-\u024F]/g

/** How long a text takes to lay out, in Latin letters: those of other scripts take up to six times as long. */
export function layoutWeight(text: string): number {
  return text.length + 5 * (text.match(slowLetter)?.length ?? 0)
}
