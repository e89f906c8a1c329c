import { ToolError } from '@offthread/core/worker'
import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { createRowReader } from '../table/create-row-reader.ts'
import type { Ragged } from '../table/delimited-rows.ts'
import { type Head, readHead, readText } from '../table/read-text.ts'
import { type Delimiter, type Format, sniff } from '../table/sniff.ts'
import { createTypeCounter, type TypedColumn } from '../table/type-counter.ts'
import { createTableWriter, type WrittenTable } from './table-writer.ts'

export interface LoadJob {
  readonly sqlite: Sqlite3Static
  readonly file: Blob
  /** The name of the file. Its extension may name the format. */
  readonly name?: string
  readonly table: string
  readonly ragged: Ragged
  /** Default: guessed. */
  readonly delimiter?: Delimiter | undefined
  /** Called after each piece of the file, with the progress, and awaited. */
  readonly onRead: (state: ReadState) => Promise<void>
}

export interface ReadState {
  readonly read: number
  /** The size of the file; twice that when it has to be read again. */
  readonly total: number
  readonly rows: number
}

export interface LoadedFile extends WrittenTable {
  readonly rows: number
  readonly notes: readonly string[]
}

/**
 * Loads a file into a database image. Types are inferred from the first 256 KB of the file, and rows are stored
 * with them while the rest is read. If a later row does not fit them, the file is read to its end to find the right
 * types, then a second time to store it. So values are stored exactly, and the file is never held in memory twice.
 */
export async function loadFile(job: LoadJob): Promise<LoadedFile> {
  const head = await readHead(job.file)
  const format = sniff(head, job)
  const sampled = sampleColumns(head, format)
  const first = await readOnce(job, { format, columns: sampled, before: 0 })
  if (first.loaded) return first.loaded
  const second = await readOnce(job, { format, columns: first.columns, before: job.file.size })
  if (second.loaded) return second.loaded
  throw new ToolError('failed', 'The file changed while it was read. Load it again.')
}

function sampleColumns({ text, whole }: Head, format: Format) {
  const reader = createRowReader(format)
  const types = createTypeCounter(reader)
  types.add(reader.push(text.slice(format.start), whole))
  return types.columns()
}

interface Reading {
  readonly format: Format
  /** The expected columns. */
  readonly columns: readonly TypedColumn[]
  /** Bytes that were read in an earlier pass. */
  readonly before: number
}

/** Returns the columns that were found, and what was `loaded` unless they differ from the expected ones. */
async function readOnce(job: LoadJob, { format, columns, before }: Reading) {
  const { file, onRead } = job
  const reader = createRowReader(format)
  const types = createTypeCounter(reader)
  const total = before + file.size
  let writer = columns.length > 0 ? createTableWriter(job.sqlite, { ...job, columns }) : undefined
  let toSkip = format.start
  let state: ReadState = { read: before, total, rows: 0 }
  try {
    for await (const { text, read, last } of readText(file)) {
      const rows = reader.push(text.slice(toSkip), last)
      toSkip = Math.max(0, toSkip - text.length)
      types.add(rows)
      if (types.fit(columns)) writer?.add(rows)
      else {
        writer?.close()
        writer = undefined
      }
      state = { read: before + read, total, rows: types.rows() }
      await onRead(state)
    }
    if (types.rows() === 0 || types.columns().length === 0) throw noRows(format)
    if (!writer || !isSame(columns, types.columns())) return { columns: types.columns() }
    const written = await writer.finish(() => onRead(state))
    const notes = [...reader.notes(), ...types.notes()]
    return { columns, loaded: { ...written, rows: types.rows(), notes } }
  } finally {
    writer?.close()
  }
}

function isSame(guess: readonly TypedColumn[], columns: readonly TypedColumn[]): boolean {
  return (
    guess.length === columns.length &&
    columns.every(({ name, type, commas }, at) => {
      const guessed = guess[at]
      return guessed?.name === name && guessed.type === type && guessed.commas === commas
    })
  )
}

function noRows(format: Format): ToolError {
  if (format.kind === 'delimited' && format.ragged === 'show')
    return new ToolError('failed', 'Every row has as many fields as the header.')
  return new ToolError(
    'failed',
    format.kind === 'json'
      ? 'The JSON holds no rows. A table is a list of objects: [{…}, …], {"name": [{…}, …]} or one object a line.'
      : `The file has a header (${format.columns.join(', ').slice(0, 200)}) but no rows.`,
  )
}
