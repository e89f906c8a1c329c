import { ToolError } from '@offthread/core/worker'
import { counted, listed } from '../../text/quantity.ts'
import { type Cell, typeOfCsvField, typeOfField } from './cell-type.ts'
import { type DelimitedRecord, type Dialect, lineEnds, readRecords } from './delimited-records.ts'
import { uniqueNames } from './names.ts'
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
  readonly ragged: Ragged
  /** A note that the delimiter was guessed; empty unless the header has another one as well. */
  readonly doubt: string
}

/** What to do with rows that do not have as many fields as the header. `show` loads only those. */
export type Ragged = 'error' | 'pad' | 'skip' | 'show'

// A longer record is most likely a quote that is never closed.
const longestRecord = 4 * 1_048_576
// The limit of SQLite.
const mostColumns = 2000
// With more misfits than this, counting stops and the file is refused.
const mostMisfits = 1000

/** Reads delimited text that starts with its header. */
export function createDelimitedRows(format: Delimited): RowReader {
  const { columns, headerInComment, ragged } = format
  const misfits = createMisfits(format)
  const typeOf = format.delimiter === ',' ? typeOfCsvField : typeOfField
  let isHeader = !headerInComment
  let carry = ''
  let line = format.line
  let rowsRead = 0
  let places = [...columns.keys()]
  const widen = (fields: number): void => {
    const width = Math.min(mostColumns, fields)
    if (width > places.length) places = [...new Array(width).keys()]
  }
  const cellsOf = ({ fields }: DelimitedRecord) => places.map((at) => cellOf(fields[at]))
  return {
    columns: () =>
      ragged === 'show'
        ? ['line', 'fields', 'text']
        : uniqueNames([...columns, ...new Array<string>(places.length - columns.length).fill('')]),
    typeOf: (cell) => typeOf(String(cell)),
    push: (piece, last) => {
      const text = carry + piece
      const { records, end } = readRecords(text, format, { line, last })
      let at = { line, from: 0 }
      const rows: (readonly Cell[])[] = []
      for (const record of isHeader ? records.slice(1) : records) {
        const { fields, from } = record
        const missing = columns.length - fields.length
        if (missing === 0 || (missing > 0 && headerInComment)) {
          if (ragged !== 'show') rows.push(cellsOf(record))
          continue
        }
        at = { line: at.line + lineEnds(text.slice(at.from, from)), from }
        misfits.add(at.line, missing)
        if (ragged === 'show')
          rows.push([String(at.line), String(fields.length), fields.join(format.delimiter)])
        if (ragged !== 'pad') continue
        widen(fields.length)
        rows.push(cellsOf(record))
      }
      rowsRead += records.length
      if (records.length > 0) isHeader = false
      line += lineEnds(text.slice(0, end))
      carry = text.slice(end)
      if (carry.length > longestRecord) {
        throw new ToolError(
          'failed',
          `The row that begins in line ${line} is longer than 4 MB. Is a quote in it never closed?`,
        )
      }
      misfits.check(last, rowsRead - (headerInComment ? 0 : 1))
      return rows
    },
    notes: () => [...format.notes, ...misfits.notes(places.length)],
  }
}

function cellOf(field = ''): string | null {
  return /^ *$/.test(field) ? null : field
}

/** The rows that do not fit the header. */
function createMisfits({ columns, doubt, ragged }: Delimited) {
  const first: string[] = []
  let short = 0
  let long = 0
  const wanted = `${counted(columns.length, 'field')}, as the header has`
  return {
    add: (line: number, missing: number): void => {
      if (missing > 0) short++
      else long++
      if (first.length < 5) first.push(`line ${line} has ${columns.length - missing}`)
    },
    /** Throws if there are misfits and the option does not allow them. */
    check: (last: boolean, rows: number): void => {
      const count = short + long
      if (ragged !== 'error' || count === 0 || !(last || count > mostMisfits)) return
      const some = last ? `${count} of ${counted(rows, 'row')}` : `More than ${mostMisfits} rows`
      const lines = listed([...first, ...(count > first.length ? ['so on'] : [])])
      const facts = `${some} ${count === 1 ? 'does' : 'do'} not have ${wanted}: ${lines}.`
      const advice = 'Such rows can be left out, padded with empty values, or shown.'
      throw new ToolError('failed', [facts, advice, doubt].join(' ').trim())
    },
    notes: (width: number): readonly string[] => {
      if (ragged === 'skip' && short + long > 0)
        return [
          `${counted(short + long, 'row')} left out that did not have ${wanted}: ${listed(first)}${short + long > first.length ? ' and so on' : ''}.`,
        ]
      if (ragged !== 'pad') return []
      return [
        ...(short > 0 ? [`${counted(short, 'short row')} filled with empty values.`] : []),
        ...(long > 0
          ? [
              `${counted(long, 'row')} had more fields than the header, up to ${width}: they are in columns named by their number.`,
            ]
          : []),
      ]
    },
  }
}
