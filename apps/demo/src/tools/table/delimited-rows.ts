import { ToolError } from '@offthread/core/worker'
import { counted } from '../wording.ts'
import type { Batch } from './batch.ts'
import { concatBytes } from './batch.ts'
import type { Format } from './sniff.ts'
import type { Records } from './tokenizer.ts'
import { createTokenizer } from './tokenizer.ts'

/** What to do with a row that is shorter than the header. */
export type Ragged = 'error' | 'pad'

export interface RowReader {
  /** The rows that end in this piece. `last`: no piece follows. */
  readonly push: (piece: Uint8Array, last: boolean) => Batch
  /** What people should know about the reading. */
  readonly notes: () => readonly string[]
}

// A record longer than this is most likely a quote that nobody closed.
const longestRecord = 4 * 1_048_576

/** Reads delimited text after its header. */
export function createDelimitedRows(
  format: Extract<Format, { kind: 'delimited' }>,
  ragged: Ragged,
): RowReader {
  const tokenize = createTokenizer(format.dialect)
  let carry = new Uint8Array(0)
  let line = format.line
  let padded = 0
  return {
    push: (piece, last) => {
      const bytes = concatBytes(carry, piece)
      const records = tokenize(bytes, { line, last })
      line = records.line
      carry = bytes.slice(records.consumed)
      if (carry.length > longestRecord) {
        throw new ToolError(
          'failed',
          `The row that begins in line ${line} is longer than 4 MB. Is a quote in it never closed?`,
        )
      }
      const fits = align(records, format, ragged)
      padded += fits.padded
      return { ...fits, columns: format.columns, bytes, rows: records.count }
    },
    notes: () =>
      padded === 0 || format.openEnd
        ? format.notes
        : [...format.notes, `${counted(padded, 'short row')} filled with empty values.`],
  }
}

/** Gives every record as many fields as the header has, or throws. */
function align(
  records: Records,
  { columns, openEnd }: Extract<Format, { kind: 'delimited' }>,
  ragged: Ragged,
) {
  const width = columns.length
  const { count, fieldEnds } = records
  if (isEven(records, width)) {
    // The tokenizer uses its arrays again.
    const size = count * width
    return { starts: records.starts.slice(0, size), ends: records.ends.slice(0, size), padded: 0 }
  }
  const starts = new Int32Array(count * width)
  const ends = new Int32Array(count * width)
  let padded = 0
  for (let record = 0; record < count; record++) {
    const first = record === 0 ? 0 : (fieldEnds[record - 1] ?? 0)
    const after = fieldEnds[record] ?? 0
    const fields = after - first
    if (fields > width || (fields < width && ragged === 'error' && !openEnd)) {
      throw raggedRow({ line: records.lines[record] ?? 0, fields, width })
    }
    if (fields < width) padded++
    starts.set(records.starts.subarray(first, after), record * width)
    ends.set(records.ends.subarray(first, after), record * width)
  }
  return { starts, ends, padded }
}

function isEven({ count, fieldEnds }: Records, width: number): boolean {
  for (let record = 0; record < count; record++) {
    if (fieldEnds[record] !== (record + 1) * width) return false
  }
  return true
}

function raggedRow(row: {
  readonly line: number
  readonly fields: number
  readonly width: number
}) {
  const facts = `Line ${row.line} has ${counted(row.fields, 'field')}, but the header has ${row.width}.`
  const advice =
    row.fields < row.width
      ? 'To fill short rows with empty values, load the file again with ragged: "pad".'
      : 'Rows that are longer than the header cannot be loaded: correct the file. A field that holds the delimiter must be quoted.'
  return new ToolError('failed', `${facts} ${advice}`)
}
