const mostChars = 100_000
const mostLines = 10_000

/** Accents, tones of skin and two vowels: to lay out a pile of them takes the square of its length. */
const pile = /[\p{M}\p{EMod}\u0E33\u0EB3]{100}/u

/** The most that a field of one line takes. The browser cuts what is pasted. */
export const mostOfLine = 2000

/** What a field would hold if a text were pasted into it, or dropped. */
export function withText(field: HTMLTextAreaElement, text: string): string {
  const { value, selectionStart, selectionEnd } = field
  return value.slice(0, selectionStart) + text + value.slice(selectionEnd)
}

/** Whether a field can hold a text: it lays out all of it at each key. */
export function fitsField(text: string): boolean {
  return (
    text.length <= mostChars &&
    !pile.test(text) &&
    text.split('\n', mostLines + 1).length <= mostLines
  )
}
