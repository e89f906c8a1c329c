import { ToolError } from '@offthread/core/worker'
import Papa from 'papaparse'

export interface Dialect {
  readonly delimiter: string
  /** CR, or LF with or without a CR before it. */
  readonly newline: '\n' | '\r'
  /** Fields may be quoted, as in RFC 4180. */
  readonly quotes: boolean
  /** All lines that start with `#` are comments. */
  readonly comments: boolean
}

export interface DelimitedRecord {
  readonly fields: readonly string[]
  /** Its offset in the text. */
  readonly from: number
}

interface Position {
  /** The number of the first line. */
  readonly line: number
  /** No more text follows. Otherwise the last record is left out, because it may be incomplete. */
  readonly last: boolean
}

/** Splits text into records, up to the offset `end`, and skips blank lines. Throws at a misplaced quote. */
export function readRecords(text: string, dialect: Dialect, { line, last }: Position) {
  const records: (DelimitedRecord & { readonly error: Papa.ParseError | undefined })[] = []
  let from = 0
  Papa.parse<string[]>(text, {
    delimiter: dialect.delimiter,
    newline: dialect.newline,
    comments: dialect.comments && '#',
    // The fast mode ignores quotes. If the option is missing, it is used for text without quotes only.
    ...(!dialect.quotes && { fastMode: true }),
    step: ({ data, errors: [error], meta: { cursor } }) => {
      if (dialect.comments) from += commentsBefore(text.slice(from, cursor)).length
      records.push({ fields: withoutReturn(data, text.slice(from, cursor), dialect), from, error })
      from = cursor
    },
  })
  const end = last ? text.length : (records.pop()?.from ?? 0)
  const wrong = records.find(({ error }) => error)?.error
  if (wrong) throw misquoted(wrong, line + lineEnds(text.slice(0, wrong.index)))
  return { records: records.filter((record) => !isBlank(record, text)), end }
}

export function commentsBefore(text: string): string {
  return /^(?:#[^\r\n]*(?:\r\n|\r|\n|$))*/.exec(text)?.[0] ?? ''
}

export function lineEnds(text: string): number {
  return text.split(/\r\n|\r|\n/).length - 1
}

/** Whether a line is empty. A line with an empty quoted field is not. */
function isBlank({ fields, from }: DelimitedRecord, text: string): boolean {
  return fields.length === 1 && fields[0] === '' && text[from] !== '"'
}

/** Removes the CR of a CRLF from the last field, unless the CR is inside quotes. */
function withoutReturn(
  fields: readonly string[],
  row: string,
  { delimiter }: Dialect,
): readonly string[] {
  const last = fields.at(-1)
  if (!last?.endsWith('\r')) return fields
  const isPlain = (delimiter + row.replace(/\n$/, '')).endsWith(delimiter + last)
  return isPlain ? [...fields.slice(0, -1), last.slice(0, -1)] : fields
}

function misquoted({ code }: Papa.ParseError, line: number): ToolError {
  const problem =
    code === 'MissingQuotes'
      ? 'is never closed.'
      : 'is followed by text. Inside a quoted field a quote must be doubled.'
  return new ToolError('failed', `The quoted field that begins in line ${line} ${problem}`)
}
