import { ToolError } from '@offthread/core/worker'
import { counted } from '../../text/quantity.ts'
import { typeOfText } from './cell-type.ts'
import { type DelimitedRecord, type Dialect, lineEnds, readRecords } from './delimited-records.ts'
import type { RowReader } from './row-reader.ts'

/** The detected format of delimited text. */
export interface Delimited extends Dialect {
  readonly kind: 'delimited'
  /** The number of characters before the first record, and its line. */
  readonly start: number
  readonly line: number
  readonly columns: readonly string[]
  /** The header is the last comment line, and rows may be short, as in the files of the tz database. */
  readonly headerInComment: boolean
  readonly notes: readonly string[]
}

/** How to handle a row that is shorter than the header. */
export type Ragged = 'error' | 'pad'

// A longer record is most likely a quote that is never closed.
const longestRecord = 4 * 1_048_576

/** Reads delimited text that starts with its header. */
export function createDelimitedRows(format: Delimited, ragged: Ragged): RowReader {
  const { columns, headerInComment, notes } = format
  const mayBeShort = headerInComment || ragged === 'pad'
  let isHeader = !headerInComment
  let carry = ''
  let line = format.line
  let padded = 0
  return {
    columns: () => columns,
    typeOf: (cell) => typeOfText(String(cell)),
    push: (piece, last) => {
      const text = carry + piece
      const { records, end } = readRecords(text, format, { line, last })
      const rows = records.slice(isHeader ? 1 : 0).map((record) => {
        const short = columns.length - record.fields.length
        if (short < 0 || (short > 0 && !mayBeShort)) {
          throw raggedRow(line + lineEnds(text.slice(0, record.from)), record, columns.length)
        }
        if (short > 0) padded++
        return columns.map((_, column) => cellOf(record.fields[column]))
      })
      if (records.length > 0) isHeader = false
      line += lineEnds(text.slice(0, end))
      carry = text.slice(end)
      if (carry.length > longestRecord) {
        throw new ToolError(
          'failed',
          `The row that begins in line ${line} is longer than 4 MB. Is a quote in it never closed?`,
        )
      }
      return rows
    },
    notes: () =>
      padded === 0 || headerInComment
        ? notes
        : [...notes, `${counted(padded, 'short row')} filled with empty values.`],
  }
}

function cellOf(field = ''): string | null {
  return /^ *$/.test(field) ? null : field
}

function raggedRow(line: number, { fields }: DelimitedRecord, width: number): ToolError {
  const facts = `Line ${line} has ${counted(fields.length, 'field')}, but the header has ${width}.`
  const advice =
    fields.length < width
      ? 'To fill short rows with empty values, load the file again with ragged: "pad".'
      : 'Rows that are longer than the header cannot be loaded: correct the file. A field that holds the delimiter must be quoted.'
  return new ToolError('failed', `${facts} ${advice}`)
}
