import type { Part } from './message.ts'
import { textOf } from './message.ts'

/**
 * What the model reads of a result: the same, if its text fits into `limit` characters; else the first 70 %
 * and the last 30 % of it around a marker that says what is missing, together at most `limit` long.
 */
export function truncateForModel(content: readonly Part[], limit: number): readonly Part[] {
  if (fits(content, limit)) return content
  const others = content.filter((part) => part.type !== 'text')
  return [{ type: 'text', text: cutMiddle(textOf(content), limit) }, ...others]
}

/** Whether the text of a result fits into `limit` characters. */
export function fits(content: readonly Part[], limit: number): boolean {
  return (
    content.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0) <= limit
  )
}

/** Text of at most `limit` characters: its head and its tail, and between them how much is missing. */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text
  // The longest marker this text can need, so that the true one always fits.
  const room = limit - marker(text.length).length
  if (room <= 0) return text.slice(0, wholeEnd(text, limit))
  const headEnd = wholeEnd(text, Math.floor(room * 0.7))
  const tailStart = wholeStart(text, text.length - (room - Math.floor(room * 0.7)))
  return text.slice(0, headEnd) + marker(tailStart - headEnd) + text.slice(tailStart)
}

function marker(missing: number): string {
  return `\n[… ${missing} characters cut …]\n`
}

function wholeEnd(text: string, end: number): number {
  return end > 0 && isHighSurrogate(text, end - 1) ? end - 1 : end
}

function wholeStart(text: string, start: number): number {
  return start > 0 && isHighSurrogate(text, start - 1) ? start + 1 : start
}

function isHighSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return code >= 0xd800 && code <= 0xdbff
}
