import type { Part } from './message.ts'
import { textOf } from './message.ts'

/**
 * What the model reads of a result: the same, if its text fits into `limit` characters; else the first 70 %
 * and the last 30 % of it around a marker that says what is missing, together at most `limit` long. Plain
 * text in documents counts too: it gets the room that the text leaves.
 */
export function truncateForModel(content: readonly Part[], limit: number): readonly Part[] {
  if (fits(content, limit)) return content
  const text = cutMiddle(textOf(content), limit)
  let room = Math.max(0, limit - textOf(content).length)
  const others = content.flatMap((part): readonly Part[] => {
    if (part.type === 'text') return []
    if (plainTextOf(part) === '') return [part]
    const data = cutMiddle(plainTextOf(part), room)
    room = Math.max(0, room - plainTextOf(part).length)
    return data === '' ? [] : [{ ...part, data }]
  })
  return text === '' ? others : [{ type: 'text', text }, ...others]
}

/** Whether the text of a result fits into `limit` characters. */
export function fits(content: readonly Part[], limit: number): boolean {
  return content.reduce((sum, part) => sum + plainTextOf(part).length, 0) <= limit
}

function plainTextOf(part: Part): string {
  if (part.type === 'text') return part.text
  return part.type === 'document' && part.mediaType === 'text/plain' ? part.data : ''
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
