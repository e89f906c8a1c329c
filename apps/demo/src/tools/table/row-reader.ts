import type { Cell, FieldType } from './cell-type.ts'

/** Turns the pieces of a file's text into rows. */
export interface RowReader {
  /** Returns the rows that end in this piece. `last`: no piece follows. */
  readonly push: (text: string, last: boolean) => readonly (readonly Cell[])[]
  /** The columns found so far. Later rows may add columns. */
  readonly columns: () => readonly string[]
  readonly typeOf: (cell: string | number) => FieldType
  /** Notes for the user about how the file was read. */
  readonly notes: () => readonly string[]
}
