import { ToolError } from '@offthread/core/worker'
import Papa from 'papaparse'
import { parseJson } from '../../text/parse-json.ts'
import { counted } from '../../text/quantity.ts'
import { commentsBefore, type Dialect, readRecords } from './delimited-records.ts'
import type { Delimited } from './delimited-rows.ts'
import { type JsonShape, sniffJsonShape } from './json-rows.ts'
import { uniqueNames } from './names.ts'
import type { Head } from './read-text.ts'

/** The detected format of a file. Its records start after `start` characters. */
export type Format =
  | { readonly kind: 'json'; readonly start: 0; readonly shape: JsonShape }
  | Delimited

/** Detects the format of a file from its first 256 KB and its name. Throws if it is not a table. */
export function sniff({ text, whole }: Head, name = ''): Format {
  if (text.trim() === '') throw new ToolError('failed', 'The file holds nothing but blanks.')
  const isNamedJson = /\.(?:json|jsonl|ndjson)\s*$/i.test(name)
  // A file named as JSON is read as JSON even if it cannot be a table: that reader's error says why.
  if (looksLikeJson(text) || (isNamedJson && whole && parseJson(text) !== undefined)) {
    return { kind: 'json', start: 0, shape: sniffJsonShape(text, whole) }
  }
  if (isNamedJson) throw notJson(text)
  return sniffDelimited(text, whole)
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

function sniffDelimited(text: string, whole: boolean): Delimited {
  const comments = commentsBefore(text)
  const lines = comments.replace(/[\r\n]+$/, '').split(/\r\n|\r|\n/)
  const count = comments === '' ? 0 : lines.length
  const rest = text.slice(comments.length)
  const names = lines.at(-1)?.slice(1).split('\t') ?? []
  const headerInComment = names.length > 1
  const dialect = headerInComment
    ? { ...sniffDialect(rest), delimiter: '\t', quotes: false, comments: true }
    : sniffDialect(rest)
  return {
    kind: 'delimited',
    ...dialect,
    headerInComment,
    columns: uniqueNames(headerInComment ? names : readHeader(rest, dialect, whole)),
    start: comments.length,
    line: count + 1,
    notes: count > 0 ? [`${counted(count, 'comment line')} at the beginning skipped.`] : [],
  }
}

function sniffDialect(text: string): Dialect {
  const { meta } = Papa.parse(text.slice(0, 65_536), {
    preview: 20,
    delimitersToGuess: [',', '\t', ';'],
    skipEmptyLines: true,
  })
  const newline = meta.linebreak === '\r' ? '\r' : '\n'
  return { delimiter: meta.delimiter, newline, quotes: true, comments: false }
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
