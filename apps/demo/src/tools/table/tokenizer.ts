import { ToolError } from '@offthread/core/worker'

export const byteOf = {
  tab: 0x09,
  lf: 0x0a,
  cr: 0x0d,
  space: 0x20,
  quote: 0x22,
  hash: 0x23,
  comma: 0x2c,
  semicolon: 0x3b,
} as const

export interface Dialect {
  readonly delimiter: number
  /** Fields may be quoted, as in RFC 4180. */
  readonly quotes: boolean
  /** Lines that begin with `#` are no records, wherever they stand. */
  readonly comments: boolean
}

/** The whole records at the beginning of some bytes. Valid until the tokenizer is used again. */
export interface Records {
  readonly count: number
  /** Field ranges, one record after the other. */
  readonly starts: Int32Array
  readonly ends: Int32Array
  /** For each record: the index after its last field, the line and the byte it begins at. */
  readonly fieldEnds: Int32Array
  readonly lines: Int32Array
  readonly offsets: Int32Array
  /** Bytes used up; the rest is the beginning of a record. */
  readonly consumed: number
  /** The line the next record begins in. */
  readonly line: number
}

interface Position {
  readonly line: number
  /** No more bytes follow these. */
  readonly last: boolean
}

export type Tokenizer = (bytes: Uint8Array, position: Position) => Records

/**
 * Cuts delimited text into records. A record that is not complete is left for the next call, so there is no
 * state between calls and a cut may fall anywhere: in a quoted field, in CRLF, in a character.
 * Doubled quotes are undone in place.
 */
export function createTokenizer(dialect: Dialect): Tokenizer {
  let room = allocate(0)
  return (bytes, { line, last }) => {
    // There cannot be more fields than bytes, and one. Some more, for the next piece may be longer.
    if (room.starts.length <= bytes.length) room = allocate(bytes.length * 1.25 + 1)
    // Written out: an object made by spreading is several times as slow here.
    const scan: Scan = {
      delimiter: dialect.delimiter,
      quotes: dialect.quotes,
      comments: dialect.comments,
      starts: room.starts,
      ends: room.ends,
      bytes,
      last,
      line,
      fields: 0,
      escaped: [],
    }
    let count = 0
    let consumed = 0
    while (consumed < bytes.length) {
      const firstField = scan.fields
      const firstLine = scan.line
      const next = readRecord(scan, consumed)
      if (next === incomplete) {
        scan.fields = firstField
        scan.line = firstLine
        break
      }
      if (scan.fields > firstField) {
        room.fieldEnds[count] = scan.fields
        room.lines[count] = firstLine
        room.offsets[count++] = consumed
      }
      consumed = next
    }
    for (const field of scan.escaped) if (field < scan.fields) undoubleQuotes(scan, field)
    return { ...room, count, consumed, line: scan.line }
  }
}

const incomplete = -1

interface Scan extends Dialect {
  readonly bytes: Uint8Array
  readonly last: boolean
  readonly starts: Int32Array
  readonly ends: Int32Array
  readonly escaped: number[]
  fields: number
  line: number
}

function allocate(
  size: number,
): Pick<Records, 'starts' | 'ends' | 'fieldEnds' | 'lines' | 'offsets'> {
  return {
    starts: new Int32Array(size),
    ends: new Int32Array(size),
    fieldEnds: new Int32Array(size),
    lines: new Int32Array(size),
    offsets: new Int32Array(size),
  }
}

/** Reads the record at `from` and returns where the next one begins. A blank line has no fields. */
function readRecord(scan: Scan, from: number): number {
  const { bytes, delimiter, last, quotes } = scan
  if (scan.comments && bytes[from] === byteOf.hash) return afterLine(scan, endOfLine(bytes, from))
  if (isLineEnd(bytes[from])) return afterLine(scan, from)
  let at = from
  for (;;) {
    const end = quotes && bytes[at] === byteOf.quote ? readQuoted(scan, at) : readPlain(scan, at)
    if (end === incomplete) return incomplete
    if (bytes[end] !== delimiter) return afterLine(scan, end)
    at = end + 1
    if (at < bytes.length) continue
    // A delimiter at the very end is followed by one more, empty, field.
    if (!last) return incomplete
    push(scan, at, at)
    return at
  }
}

function readPlain(scan: Scan, start: number): number {
  const { bytes, delimiter } = scan
  const size = bytes.length
  let at = start
  for (; at < size; at++) {
    const byte = bytes[at]
    if (byte === delimiter || byte === byteOf.lf || byte === byteOf.cr) break
  }
  push(scan, start, at)
  return at
}

function readQuoted(scan: Scan, start: number): number {
  const { bytes, delimiter, last } = scan
  const { at, breaks, doubled } = findClosingQuote(bytes, start + 1)
  if (at === bytes.length) {
    if (!last) return incomplete
    throw new ToolError(
      'failed',
      `The quoted field that begins in line ${scan.line} is never closed.`,
    )
  }
  // At the end of the bytes this may be half of a doubled quote: then the record is not complete either.
  if (doubled) scan.escaped.push(scan.fields)
  push(scan, start + 1, at)
  let end = at + 1
  while (bytes[end] === byteOf.space) end++
  if (end < bytes.length && bytes[end] !== delimiter && !isLineEnd(bytes[end])) {
    throw new ToolError(
      'failed',
      `Line ${scan.line + breaks}: text follows the quote that closes a field. Inside a quoted field a quote must be doubled.`,
    )
  }
  scan.line += breaks
  return end
}

function findClosingQuote(bytes: Uint8Array, from: number) {
  let doubled = false
  let breaks = 0
  let at = from
  for (; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === byteOf.lf || (byte === byteOf.cr && bytes[at + 1] !== byteOf.lf)) breaks++
    if (byte !== byteOf.quote) continue
    if (bytes[at + 1] !== byteOf.quote) break
    doubled = true
    at++
  }
  // A doubled quote at the end may step over it.
  return { at: Math.min(at, bytes.length), breaks, doubled }
}

function push(scan: Scan, start: number, end: number): void {
  scan.starts[scan.fields] = start
  scan.ends[scan.fields] = end
  scan.fields++
}

function endOfLine(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && !isLineEnd(bytes[at])) at++
  return at
}

/** Steps over LF, CRLF or CR. */
function afterLine(scan: Scan, end: number): number {
  const { bytes, last } = scan
  const size = bytes.length
  // What follows a CR at the end may be its LF.
  const cut = end === size || (bytes[end] === byteOf.cr && end + 1 === size)
  if (cut && !last) return incomplete
  scan.line++
  if (end === size) return size
  return bytes[end] === byteOf.cr && bytes[end + 1] === byteOf.lf ? end + 2 : end + 1
}

function undoubleQuotes(scan: Scan, field: number): void {
  const { bytes, starts, ends } = scan
  let to = starts[field] ?? 0
  const end = ends[field] ?? 0
  for (let from = to; from < end; from++) {
    const byte = bytes[from] ?? 0
    if (byte === byteOf.quote) from++
    bytes[to++] = byte
  }
  ends[field] = to
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === byteOf.lf || byte === byteOf.cr
}
