import { createDelimitedRows, type Ragged } from './delimited-rows.ts'
import { createJsonRows } from './json-rows.ts'
import type { RowReader } from './row-reader.ts'
import type { Format } from './sniff.ts'

export function createRowReader(format: Format, ragged: Ragged): RowReader {
  return format.kind === 'json' ? createJsonRows(format.shape) : createDelimitedRows(format, ragged)
}
