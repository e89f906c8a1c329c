import type { Batch } from './batch.ts'
import type { Ragged, RowReader } from './delimited-rows.ts'
import { createDelimitedRows } from './delimited-rows.ts'
import { createJsonRows } from './json-rows.ts'
import { readPieces } from './read-pieces.ts'
import type { Format } from './sniff.ts'

export interface ReadBatch {
  readonly batch: Batch
  /** Bytes of the file read so far. */
  readonly read: number
  readonly notes: readonly string[]
}

/** Reads all rows of a file, batch by batch. */
export async function* readRows(
  file: Blob,
  format: Format,
  ragged: Ragged,
): AsyncGenerator<ReadBatch> {
  const reader = createReader(format, ragged)
  let read = format.start
  for await (const piece of readPieces(file, format.start)) {
    read = piece.read
    const batch = reader.push(piece.bytes, read === file.size)
    yield { batch, read, notes: reader.notes() }
  }
  if (read === file.size && read > format.start) return
  // The header was the last of it, or the file became shorter.
  yield { batch: reader.push(new Uint8Array(0), true), read, notes: reader.notes() }
}

function createReader(format: Format, ragged: Ragged): RowReader {
  return format.kind === 'json' ? createJsonRows(format.shape) : createDelimitedRows(format, ragged)
}
