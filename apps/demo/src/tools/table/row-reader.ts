import type { Cell, ColumnType } from './cell-type.ts'
import type { Ragged } from './delimited-rows.ts'
import { createDelimitedRows } from './delimited-rows.ts'
import { createJsonRows } from './json-rows.ts'
import type { Format } from './sniff.ts'

/** Makes rows of a file's text, which comes in pieces. */
export interface RowReader {
  /** The rows that end in this piece. `last`: no piece follows. */
  readonly push: (text: string, last: boolean) => readonly (readonly Cell[])[]
  /** The columns found so far. There may be more later, never fewer. */
  readonly columns: () => readonly string[]
  readonly typeOf: (cell: string | number) => ColumnType
  /** What people should know about the reading. */
  readonly notes: () => readonly string[]
}

export function createRowReader(format: Format, ragged: Ragged): RowReader {
  return format.kind === 'json' ? createJsonRows(format.shape) : createDelimitedRows(format, ragged)
}
