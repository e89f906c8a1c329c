import { ToolError } from '@offthread/core/worker'
import { counted } from '../wording.ts'
import { textOf } from './batch.ts'
import { uniqueNames } from './column-names.ts'
import type { JsonShape } from './json-shape.ts'
import { looksLikeJson, sniffJsonShape } from './json-shape.ts'
import { isJson, isJsonName, notJson } from './not-json.ts'
import { assertText } from './read-pieces.ts'
import type { Dialect, Records } from './tokenizer.ts'
import { byteOf, createTokenizer } from './tokenizer.ts'

/** How much of a file is read to find out what it is. The header must end before. */
export const headSize = 1_048_576

/** What a file turned out to be. The data begins at byte `start`, in line `line`. */
export type Format =
  | { readonly kind: 'json'; readonly start: number; readonly shape: JsonShape }
  | {
      readonly kind: 'delimited'
      readonly start: number
      readonly line: number
      readonly dialect: Dialect
      readonly columns: readonly string[]
      /** Fields at the end of a row may be missing, as in the tz database's tables. */
      readonly openEnd: boolean
      readonly notes: readonly string[]
    }

interface SniffOptions {
  /** There are no more bytes. */
  readonly whole: boolean
  /** The name of the file. */
  readonly name?: string | undefined
}

/** Finds out by its first bytes what a file is. Throws what is wrong with it. */
export function sniff(bytes: Uint8Array, { whole, name }: SniffOptions): Format {
  rejectBinary(bytes)
  assertText(bytes)
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  const body = bytes.slice(start)
  if (!body.some((byte) => byte > byteOf.space)) {
    throw new ToolError('failed', 'The file holds nothing but blanks.')
  }
  const named = isJsonName(name)
  // By its name alone also JSON that cannot be a table is taken, for the reader of JSON to refuse it.
  if (looksLikeJson(body) || (named && whole && isJson(body))) {
    return { kind: 'json', start, shape: sniffJsonShape(body, whole) }
  }
  if (named) throw notJson(body)
  return sniffDelimited(body, { start, whole })
}

function rejectBinary(bytes: Uint8Array): void {
  if (bytes.length === 0) throw new ToolError('failed', 'The file is empty.')
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw new ToolError('failed', 'The file is in UTF-16. Save it as UTF-8 and drop it again.')
  }
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] ?? 9) < 9) {
    throw new ToolError(
      'failed',
      'The file is a ZIP archive or a spreadsheet (such as .xlsx). Export it as CSV and drop that.',
    )
  }
}

interface Rest {
  readonly start: number
  readonly whole: boolean
}

function sniffDelimited(body: Uint8Array, { start, whole }: Rest): Format {
  const { at, count, lastComment } = skipComments(body)
  const names = lastComment.split('\t')
  const notes = count > 0 ? [`${counted(count, 'comment line')} at the beginning skipped.`] : []
  if (names.length > 1) {
    const dialect = { delimiter: byteOf.tab, quotes: false, comments: true }
    const columns = uniqueNames(names)
    return {
      kind: 'delimited',
      start: start + at,
      line: count + 1,
      dialect,
      columns,
      openEnd: true,
      notes,
    }
  }
  const rest = body.slice(at)
  const dialect = chooseDialect(rest, whole)
  const header = firstRecord(rest, { dialect, whole, line: count + 1 })
  return {
    kind: 'delimited',
    start: start + at + header.end,
    line: header.line,
    dialect,
    columns: uniqueNames(header.fields),
    openEnd: false,
    notes,
  }
}

function skipComments(body: Uint8Array) {
  let at = 0
  let count = 0
  let lastComment = ''
  while (body[at] === byteOf.hash) {
    const lineFeed = body.indexOf(byteOf.lf, at)
    const end = lineFeed < 0 ? body.length : lineFeed
    lastComment = textOf(body, at + 1, end).replace(/\r$/, '')
    at = Math.min(end + 1, body.length)
    count++
  }
  return { at, count, lastComment }
}

const delimiters = [byteOf.comma, byteOf.tab, byteOf.semicolon] as const

/** The delimiter by which most of the first records have as many fields as the header, and the most of them. */
function chooseDialect(bytes: Uint8Array, whole: boolean): Dialect {
  const sample = bytes.slice(0, 65_536)
  let best = { score: -1, dialect: dialectOf(byteOf.comma) }
  for (const delimiter of delimiters) {
    const dialect = dialectOf(delimiter)
    const score = scoreOf(tryTokenize(sample, dialect, whole && sample.length === bytes.length))
    if (score > best.score) best = { score, dialect }
  }
  return best.dialect
}

function dialectOf(delimiter: number): Dialect {
  return { delimiter, quotes: true, comments: false }
}

function tryTokenize(bytes: Uint8Array, dialect: Dialect, last: boolean): Records | undefined {
  try {
    return createTokenizer(dialect)(bytes.slice(), { line: 1, last })
  } catch {
    // By the wrong delimiter quotes seem to be misplaced. The right one will tell if they are.
    return undefined
  }
}

function scoreOf(records: Records | undefined): number {
  if (!records || records.count === 0) return 0
  const width = records.fieldEnds[0] ?? 0
  if (width < 2) return 0
  const looked = Math.min(records.count, 20)
  let alike = 0
  for (let record = 0; record < looked; record++) {
    const before = record === 0 ? 0 : (records.fieldEnds[record - 1] ?? 0)
    if ((records.fieldEnds[record] ?? 0) - before === width) alike++
  }
  return (alike / looked) * 1000 + Math.min(width, 999)
}

interface HeaderOptions {
  readonly dialect: Dialect
  readonly whole: boolean
  readonly line: number
}

function firstRecord(bytes: Uint8Array, { dialect, whole, line }: HeaderOptions) {
  // The tokenizer undoes doubled quotes in place.
  const copy = bytes.slice()
  const records = createTokenizer(dialect)(copy, { line, last: whole })
  if (records.count === 0) {
    throw new ToolError(
      'failed',
      whole
        ? 'The file has no header and no rows.'
        : 'The first row does not end within 1 MB. Is this a table, and is every quote closed?',
    )
  }
  const fields = Array.from({ length: records.fieldEnds[0] ?? 0 }, (_, field) =>
    textOf(copy, records.starts[field] ?? 0, records.ends[field] ?? 0),
  )
  const more = records.count > 1
  return {
    fields,
    end: (more ? records.offsets[1] : undefined) ?? records.consumed,
    line: (more ? records.lines[1] : undefined) ?? records.line,
  }
}
