const piled: string = String.raw`[\p{M}\p{EMod}\u0E33\u0EB3]`

/**
 * Characters that hide or deceive: those that Unicode calls ignorable when drawn (direction overrides, invisible spaces
 * and fillers, tag characters, which can hide whole sentences), control characters, and separators of lines that look
 * like a blank. Also long piles of accents, tones of skin and two vowels, which take seconds to draw. The pattern begins
 * with what it finds, and looks at what stands before only there, which takes half the time.
 */
export const unseen: string = String.raw`(?:(?![\t\n\r])[\p{DI}\p{Cc}\p{Zl}\p{Zp}\uFFF9-\uFFFB\u{13430}-\u{1343F}\u{1D159}])+|${piled}(?<=${piled}{9})${piled}*`

const all: RegExp = new RegExp(unseen, 'gu')

/** A text with marks for all that is unseen, also where a script or an emoji needs it: for what is shown as it is stored. */
export function markedText(text: string): string {
  return text.replace(all, markFor)
}

const mostOfName = 120

/** A name that a model, a tool or a file gave, of any length, as one that fits a line. */
export function markedName(name: string): string {
  return markedText(name.length > mostOfName ? `${name.slice(0, mostOfName)}…` : name)
}

/** What is shown in place of characters that are unseen. */
export function markFor(run: string): string {
  const [first = '', ...others] = run
  const code = (first.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `‹U+${code}${others.length > 0 ? ` and ${others.length} more` : ''}›`
}
