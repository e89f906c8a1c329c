import { createDelimitedRows } from './delimited-rows.ts'
import { createJsonRows } from './json-rows.ts'
import type { RowReader } from './row-reader.ts'
import type { Format } from './sniff.ts'

export function createRowReader(format: Format): RowReader {
  return format.kind === 'json' ? createJsonRows(format.shape) : createDelimitedRows(format)
}
