import { ToolError } from '@offthread/core/worker'
import type { Database, Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import type { Batch } from '../table/batch.ts'
import type { ColumnProfile, ColumnStats } from '../table/column-stats.ts'
import { createColumnStats } from '../table/column-stats.ts'
import type { ColumnType, FieldKind } from '../table/field-kind.ts'
import { fieldKind, kindOf, numberOf } from '../table/field-kind.ts'
import type { TypedColumn } from '../table/kind-counter.ts'
import { counted } from '../wording.ts'
import type { RawSqlite } from './raw-sqlite.ts'
import { rawSqlite, staticText } from './raw-sqlite.ts'
import { prepare, quoteName } from './statement.ts'
import { toImage } from './to-image.ts'

export interface TableWriter {
  /** Adds the rows. Gives false, and adds none of the rest, when a field does not fit its column. */
  readonly add: (batch: Batch) => boolean
  readonly rows: () => number
  /** The finished table: a database image of its own. */
  readonly finish: () => { readonly image: Blob; readonly columns: readonly ColumnProfile[] }
  readonly close: () => void
}

export interface TableOptions {
  readonly table: string
  readonly columns: readonly TypedColumn[]
}

/** Writes a table into a new database in memory. */
export function createTableWriter(sqlite: Sqlite3Static, options: TableOptions): TableWriter {
  const { columns } = options
  const db = new sqlite.oo1.DB(':memory:')
  const insert = guarded(0, () => begin(sqlite, db, options))
  const types = columns.map(({ type }) => type)
  const stats = columns.map(() => createColumnStats())
  const target: Target = { raw: rawSqlite(sqlite), insert, types, stats }
  const scratch = createScratch(sqlite)
  let rows = 0
  return {
    add: (batch) => {
      const base = guarded(rows, () => scratch.put(batch.bytes))
      for (let row = 0; row < batch.rows; row++) {
        if (!bindRow(target, { batch, row, base })) return false
        const code = target.raw.sqlite3_step(insert)
        target.raw.sqlite3_reset(insert)
        if (code !== sqlite.capi.SQLITE_DONE) guarded(rows, () => db.checkRc(code))
        rows++
      }
      return true
    },
    rows: () => rows,
    finish: () => {
      sqlite.capi.sqlite3_finalize(insert)
      const image = guarded(rows, () => {
        db.exec('COMMIT')
        return toImage(sqlite, db)
      })
      const profiles = columns.map(({ name, type }, column) => stats[column]?.profile(name, type))
      return { image, columns: profiles.filter((profile) => profile !== undefined) }
    },
    close: () => {
      db.close()
      scratch.free()
    },
  }
}

/** Where rows go: kept in one object so that binding a row passes two arguments. */
interface Target {
  readonly raw: RawSqlite
  readonly insert: number
  readonly types: readonly ColumnType[]
  readonly stats: readonly ColumnStats[]
}

interface RowPlace {
  readonly batch: Batch
  readonly row: number
  /** Where the batch's bytes are in SQLite's memory. */
  readonly base: number
}

function begin(sqlite: Sqlite3Static, db: Database, { table, columns }: TableOptions): number {
  const declared = columns.map(({ name, type }) => `${quoteName(name)} ${type.toUpperCase()}`)
  // Nobody else sees this database, and a failed load throws it away: there is nothing to roll back to.
  db.exec('PRAGMA journal_mode = OFF')
  db.exec(`CREATE TABLE ${quoteName(table)} (${declared.join(', ')})`)
  db.exec('BEGIN')
  const values = columns.map(() => '?').join(', ')
  return prepare(sqlite, db, `INSERT INTO ${quoteName(table)} VALUES (${values})`).statement
}

/** Binds the fields of a row, by the types the columns have. Gives false if one does not fit. */
function bindRow(target: Target, { batch, row, base }: RowPlace): boolean {
  const { raw, insert, types, stats } = target
  const { bytes, starts, ends, textual } = batch
  const width = batch.columns.length
  if (width > types.length) return false
  const first = row * width
  for (let column = 0; column < types.length; column++) {
    const field = first + column
    const from = column < width ? (starts[field] ?? 0) : 0
    const to = column < width ? (ends[field] ?? 0) : 0
    const kind = textual?.[field] === 1 && to > from ? fieldKind.text : kindOf(bytes, from, to)
    const type = types[column]
    const index = column + 1
    if (kind === fieldKind.empty) {
      stats[column]?.addEmpty()
      raw.sqlite3_bind_null(insert, index)
    } else if (type === 'text') {
      stats[column]?.addText(bytes, from, to)
      raw.sqlite3_bind_text(insert, index, base + from, to - from, staticText)
    } else if (fits(kind, type)) {
      const value = numberOf(bytes, from, to)
      stats[column]?.addNumber(value)
      // A column that was declared INTEGER stores a whole number as one.
      raw.sqlite3_bind_double(insert, index, value)
    } else return false
  }
  return true
}

function fits(kind: FieldKind, type: ColumnType | undefined): boolean {
  return kind === fieldKind.integer || (kind === fieldKind.real && type === 'real')
}

/** A place in SQLite's memory that the bytes of each batch are copied to. */
function createScratch({ wasm }: Sqlite3Static) {
  let place = 0
  let size = 0
  return {
    put: (bytes: Uint8Array) => {
      if (bytes.length > size) {
        wasm.dealloc(place)
        size = bytes.length * 2
        place = wasm.alloc(size)
      }
      wasm.heap8u().set(bytes, place)
      return place
    },
    free: () => wasm.dealloc(place),
  }
}

function guarded<Value>(rows: number, work: () => Value): Value {
  try {
    return work()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const where = rows === 0 ? 'at the first row' : `after ${counted(rows, 'row')}`
    throw new ToolError(
      'failed',
      /memory|alloc|NOMEM|FULL/i.test(reason)
        ? `The table does not fit into memory: SQLite gave up ${where}. Load a smaller part of the file.`
        : `SQLite cannot store the table (${where}): ${reason}`,
      { cause },
    )
  }
}
