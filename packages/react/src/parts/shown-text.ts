import { visibleText } from '../visible-text.ts'

const mostOfText = 20_000
const mostOfName = 120

/** A text, cut to a length that a page can lay out at once. */
export function shownText(text: string): string {
  const start = visibleText(text.slice(0, mostOfText))
  const most = Math.floor((mostOfText * start.length) / weightOf(start))
  // Marks take more room than what they stand for.
  const left = Math.max(text.length, start.length) - most
  return left > 0 ? `${start.slice(0, most)}… ${left} more characters` : start
}

const slowLetter: RegExp = /[^\0-\u024F]/g

/** How long a text takes to lay out, in Latin letters: those of other scripts take several times as long. */
function weightOf(text: string): number {
  return text.length + 1.5 * (text.match(slowLetter)?.length ?? 0)
}

/** Of lines the last that a page can lay out at once: all of them if there is room, and at least one. */
export function shownEnd(lines: readonly string[]): string {
  let weight = 0
  const before = lines.findLastIndex((line) => {
    weight += weightOf(shownText(line)) + 1
    return weight > mostOfText
  })
  return lines.slice(Math.min(before + 1, lines.length - 1)).join('\n')
}

/** A name that a model or a tool gave, or other words of any length, as they fit a line. */
export function shownName(name: string): string {
  return visibleText(name.length > mostOfName ? `${name.slice(0, mostOfName)}…` : name)
}
