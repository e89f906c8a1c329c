import { ToolError } from '@offthread/core/worker'
import Papa from 'papaparse'
import { parseJson } from '../../text/parse-json.ts'
import { counted, listed } from '../../text/quantity.ts'
import { commentsBefore, type Dialect, readRecords } from './delimited-records.ts'
import type { Delimited, Ragged } from './delimited-rows.ts'
import { type JsonShape, sniffJsonShape } from './json-rows.ts'
import { uniqueNames } from './names.ts'
import type { Head } from './read-text.ts'

/** The detected format of a file. Its records start after `start` characters. */
export type Format =
  | { readonly kind: 'json'; readonly start: 0; readonly shape: JsonShape }
  | Delimited

/** What the user or the file name says about a file. */
interface Known {
  readonly name?: string
  /** The delimiter, if it need not be guessed. */
  readonly delimiter?: Delimiter | undefined
  /** Default: `error`. */
  readonly ragged?: Ragged
}

/** Detects the format of a file from its first 256 KB and its name. Throws if it is not a table. */
export function sniff({ text, whole }: Head, known: Known = {}): Format {
  const { name = '' } = known
  if (text.trim() === '') throw new ToolError('failed', 'The file holds nothing but blanks.')
  const isNamedJson = /\.(?:json|jsonl|ndjson)\s*$/i.test(name)
  // A file named as JSON is read as JSON even if it cannot be a table: that reader's error says why.
  if (looksLikeJson(text) || (isNamedJson && whole && parseJson(text) !== undefined)) {
    return { kind: 'json', start: 0, shape: sniffJsonShape(text, whole) }
  }
  if (isNamedJson) throw notJson(text)
  return { ...sniffDelimited(text, whole, known.delimiter), ragged: known.ragged ?? 'error' }
}

/** Whether this can be JSON. A CSV header may also start with a bracket: `[id],[name]`. */
function looksLikeJson(text: string): boolean {
  return /^\s*(?:\{\s*(?:["}]|$)|\[\s*(?:[[{"\]\-\d]|$))/.test(text)
}

/** The error for a file that is named as JSON but does not start like JSON. */
function notJson(text: string): ToolError {
  const [blanks, opening] = /^\s*([[{])?\s*/.exec(text) ?? ['']
  const lines = blanks.split('\n')
  const column = (lines.at(-1)?.length ?? 0) + 1
  const [seen = ''] = text.slice(blanks.length)
  const expected = opening === '{' ? 'a quoted name' : 'an object'
  return new ToolError(
    'failed',
    `The file is named as JSON, but it is not JSON: ${JSON.stringify(seen)} stands in line ${lines.length}, column ${column}, where ${expected} is expected.`,
  )
}

/** The delimiters by their names. */
const delimiters = { comma: ',', semicolon: ';', tab: '\t', bar: '|' } as const

export type Delimiter = keyof typeof delimiters

function sniffDelimited(text: string, whole: boolean, wanted?: Delimiter) {
  const comments = commentsBefore(text)
  const lines = comments.replace(/[\r\n]+$/, '').split(/\r\n|\r|\n/)
  const count = comments === '' ? 0 : lines.length
  const rest = text.slice(comments.length)
  const names = lines.at(-1)?.slice(1).split('\t') ?? []
  const headerInComment = names.length > 1
  const dialect = headerInComment
    ? { ...sniffDialect(rest), delimiter: '\t', quotes: false, comments: true }
    : sniffDialect(rest, wanted)
  const columns = uniqueNames(headerInComment ? names : readHeader(rest, dialect, whole))
  const doubt = headerInComment ? '' : doubtAbout(rest, dialect)
  const notes = [
    ...(count > 0 ? [`${counted(count, 'comment line')} at the beginning skipped.`] : []),
    ...(doubt === '' ? [] : [doubt]),
  ]
  return {
    kind: 'delimited' as const,
    ...dialect,
    headerInComment,
    columns,
    start: comments.length,
    line: count + 1,
    notes,
    doubt,
  }
}

/**
 * The delimiter that cuts the header and most rows into the same number of fields; of several, the one that gives the
 * most fields.
 */
function sniffDialect(text: string, wanted?: Delimiter): Dialect {
  const sample = text.slice(0, 65_536)
  const ways = Object.values(delimiters).map((delimiter) => {
    const options = { delimiter, preview: 50, skipEmptyLines: true } as const
    const { data, meta } = Papa.parse<string[]>(sample, options)
    // The last row may be cut off.
    const [header = [], ...rows] = data.length > 2 ? data.slice(0, -1) : data
    const fitting = rows.filter(({ length }) => length === header.length)
    const share = header.length < 2 ? -1 : fitting.length / Math.max(1, rows.length)
    return { delimiter, share, width: header.length, newline: meta.linebreak }
  })
  const [best] = ways.sort((one, next) => next.share - one.share || next.width - one.width)
  const guessed = best && best.share >= 0 ? best.delimiter : ','
  return {
    delimiter: wanted ? delimiters[wanted] : guessed,
    newline: best?.newline === '\r' ? '\r' : '\n',
    quotes: true,
    comments: false,
  }
}

/** Says which delimiter is taken, if the header has another one as well. */
function doubtAbout(text: string, { delimiter }: Dialect): string {
  const [header = ''] = /^[^\r\n]*/.exec(text) ?? []
  const names = Object.entries(delimiters)
  const taken = names.find(([, mark]) => mark === delimiter)?.[0]
  const others = names.filter(([, mark]) => mark !== delimiter && header.includes(mark))
  if (others.length === 0) return ''
  const also = listed(others.map(([name]) => `${name}s`))
  return `Its fields are taken to be separated by ${taken}s; its header also has ${also}.`
}

function readHeader(text: string, dialect: Dialect, whole: boolean): readonly string[] {
  const [header] = readRecords(text, dialect, { line: 1, last: whole }).records
  if (header) return header.fields
  throw new ToolError(
    'failed',
    whole
      ? 'The file has no header and no rows.'
      : 'The first row does not end within 256 KB. Is this a table, and is every quote closed?',
  )
}
