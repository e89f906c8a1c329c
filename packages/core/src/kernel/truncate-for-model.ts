import { splitsPair } from '../internal/cut-text.ts'
import { type Part, textOf } from './message.ts'

/**
 * What the model reads of a result: the same, if its text fits into `limit` characters; else the first 70 %
 * and the last 30 % of it around a marker that says what is missing, together at most `limit` long. Plain
 * text in documents counts too: it gets the room that the text leaves, and a note where that is none.
 */
export function truncateForModel(content: readonly Part[], limit: number): readonly Part[] {
  if (fits(content, limit)) return content
  // Notes name what is left out, unless there is hardly room for anything.
  const notes = content.map(noteOn)
  const noted = notes.join('').length
  const reserved = noted <= limit / 2 ? noted : 0
  const text = cutMiddle(textOf(content), limit - reserved)
  let room = limit - reserved - text.length
  const others = content.flatMap((part, index): readonly Part[] => {
    if (part.type === 'text') return []
    const plain = plainTextOf(part)
    if (plain === '') return [part]
    const note = reserved > 0 ? (notes[index] ?? '') : ''
    const own = room + note.length
    // A few characters of a document say less than the note that it is there.
    const data = plain.length <= own || own > note.length + few ? cutMiddle(plain, own) : ''
    room = own - (data || note).length
    if (data !== '') return [{ ...part, data }]
    return note === '' ? [] : [{ type: 'text', text: note }]
  })
  return text === '' ? others : [{ type: 'text', text }, ...others]
}

/** A document that is cut to fewer characters than this is left out. */
const few = 10

/** The note in place of a document that does not fit. Empty for other parts. */
function noteOn(part: Part): string {
  if (part.type !== 'document' || plainTextOf(part) === '') return ''
  const name = part.name === undefined ? 'A document' : `The document ${JSON.stringify(part.name)}`
  return `[${name} was left out: ${part.data.length} characters.]`
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
  return splitsPair(text, end) ? end - 1 : end
}

function wholeStart(text: string, start: number): number {
  return splitsPair(text, start) ? start + 1 : start
}
