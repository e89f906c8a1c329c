import { visibleText } from '../visible-text.ts'

const mostOfText = 20_000
const mostOfName = 120

/** A text, cut to a length that a page can lay out at once. */
export function shownText(text: string): string {
  const left = text.length - mostOfText
  if (left <= 0) return visibleText(text)
  return `${visibleText(text.slice(0, mostOfText))}… ${left} more characters`
}

/** A name that a model or a tool gave, of any length, as one that fits a line. */
export function shownName(name: string): string {
  return visibleText(name.length > mostOfName ? `${name.slice(0, mostOfName)}…` : name)
}
