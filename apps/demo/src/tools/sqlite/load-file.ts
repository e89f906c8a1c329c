import { ToolError } from '@offthread/core/worker'
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import type { Batch } from '../table/batch.ts'
import type { ColumnProfile } from '../table/column-stats.ts'
import type { Ragged } from '../table/delimited-rows.ts'
import { readRows } from '../table/file-rows.ts'
import type { TypedColumn } from '../table/kind-counter.ts'
import { createKindCounter } from '../table/kind-counter.ts'
import { readHead } from '../table/read-pieces.ts'
import type { Format } from '../table/sniff.ts'
import { headSize, sniff } from '../table/sniff.ts'
import type { TableWriter } from './table-writer.ts'
import { createTableWriter } from './table-writer.ts'

export interface LoadJob {
  readonly sqlite: Sqlite3Static
  readonly file: Blob
  /** What the file is called: it may promise a format. */
  readonly name?: string
  readonly table: string
  readonly ragged: Ragged
  /** Called after each piece of the file: tells how far it is, and waits its turn. */
  readonly onRead: (state: ReadState) => Promise<void>
}

export interface ReadState {
  readonly read: number
  /** The size of the file; twice that when it has to be read again. */
  readonly total: number
  readonly rows: number
}

export interface LoadedFile {
  readonly image: Blob
  readonly rows: number
  readonly columns: readonly ColumnProfile[]
  readonly notes: readonly string[]
}

// Enough to know the types of most files for good.
const sampleSize = 1_048_576

/**
 * Loads a file into a database image. Types are inferred from the beginning of the file, and rows are stored by
 * them while the rest is read. If something further down shows that they were wrong, the file is read to its
 * end for the right types and then once more: what is stored is always exact, and never held twice.
 */
export async function loadFile(job: LoadJob): Promise<LoadedFile> {
  const { file, name } = job
  const head = await readHead(file, headSize)
  const format = sniff(head, { whole: head.length === file.size, name })
  const first = await readByGuess(job, format)
  if (first.loaded) return first.loaded
  return readByTypes(job, format, first)
}

interface FirstReading {
  readonly loaded?: LoadedFile
  readonly columns: readonly TypedColumn[]
  readonly notes: readonly string[]
}

async function readByGuess(job: LoadJob, format: Format): Promise<FirstReading> {
  const { file, table, sqlite } = job
  const kinds = createKindCounter()
  const sample: Batch[] = []
  let guess: readonly TypedColumn[] = []
  let writer: TableWriter | undefined
  let notes: readonly string[] = []
  let rows = 0
  try {
    for await (const { batch, read, notes: readerNotes } of readRows(file, format, job.ragged)) {
      notes = readerNotes
      rows += batch.rows
      kinds.add(batch)
      if (guess.length === 0) {
        sample.push(batch)
        if (read - format.start >= sampleSize || read === file.size) {
          guess = kinds.columns()
          if (rows > 0 && guess.length > 0)
            writer = createTableWriter(sqlite, { table, columns: guess })
          writer = writeAll(writer, sample.splice(0))
        }
      } else writer = writeAll(writer, [batch])
      await job.onRead({ read, total: file.size, rows })
    }
    if (rows === 0 || guess.length === 0) throw noRows(format)
    const columns = kinds.columns()
    const allNotes = [...notes, ...kinds.notes()]
    if (!writer || !isSame(guess, columns)) return { columns, notes: allNotes }
    return { loaded: { ...writer.finish(), rows, notes: allNotes }, columns, notes: allNotes }
  } finally {
    writer?.close()
  }
}

/** Writes the batches. Gives no writer, and closes this one, when they do not fit. */
function writeAll(
  writer: TableWriter | undefined,
  batches: readonly Batch[],
): TableWriter | undefined {
  if (!writer || batches.every(writer.add)) return writer
  writer.close()
  return undefined
}

async function readByTypes(
  job: LoadJob,
  format: Format,
  { columns, notes }: FirstReading,
): Promise<LoadedFile> {
  const { file, table, sqlite } = job
  const writer = createTableWriter(sqlite, { table, columns })
  try {
    for await (const { batch, read } of readRows(file, format, job.ragged)) {
      if (!writer.add(batch)) {
        throw new ToolError('failed', 'The file changed while it was read. Load it again.')
      }
      await job.onRead({ read: file.size + read, total: file.size * 2, rows: writer.rows() })
    }
    return { ...writer.finish(), rows: writer.rows(), notes }
  } finally {
    writer.close()
  }
}

function isSame(guess: readonly TypedColumn[], columns: readonly TypedColumn[]): boolean {
  return (
    guess.length === columns.length &&
    columns.every(({ name, type }, i) => guess[i]?.name === name && guess[i].type === type)
  )
}

function noRows(format: Format): ToolError {
  return new ToolError(
    'failed',
    format.kind === 'json'
      ? 'The JSON holds no rows. A table is a list of objects: [{…}, …], {"name": [{…}, …]} or one object a line.'
      : `The file has a header (${format.columns.join(', ').slice(0, 200)}) but no rows.`,
  )
}
