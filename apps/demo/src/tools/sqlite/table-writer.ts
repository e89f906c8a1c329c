import { ToolError } from '@offthread/core/worker'
import type { Database, Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { textOfError } from '../../text/error-text.ts'
import { counted } from '../../text/quantity.ts'
import type { ColumnProfile } from '../definitions.ts'
import { type Cell, plainNumber } from '../table/cell-type.ts'
import { quoteName } from '../table/names.ts'
import type { TypedColumn } from '../table/type-counter.ts'
import { profileColumn } from './profile-column.ts'

export interface WrittenTable {
  readonly image: Blob
  readonly columns: readonly ColumnProfile[]
}

interface TableOptions {
  readonly table: string
  readonly columns: readonly TypedColumn[]
}

// The limit of SQLite.
const mostColumns = 2000

function tooManyColumns(count: number): ToolError {
  const [has, holds] = [count, mostColumns].map((number) => number.toLocaleString('en'))
  return new ToolError(
    'failed',
    `The file has ${has} columns, and a table holds no more than ${holds}. Leave some out.`,
  )
}

export function createTableWriter(sqlite: Sqlite3Static, options: TableOptions) {
  const { table, columns } = options
  if (columns.length > mostColumns) throw tooManyColumns(columns.length)
  const db = new sqlite.oo1.DB(':memory:')
  let written = 0
  const insert = guarded(0, () => prepareInsert(db, options))
  return {
    /** Adds rows whose cells fit the types of their columns. */
    add: (rows: readonly (readonly Cell[])[]): void => {
      const cells = rows.map((row) => row.map((cell, at) => stored(cell, columns[at])))
      guarded(written, () => insert.bind(1, JSON.stringify(cells)).stepReset())
      written += rows.length
    },
    /** Profiles the columns and returns the database image. `pause` is awaited after each column. */
    finish: async (pause: () => Promise<void>): Promise<WrittenTable> => {
      insert.finalize()
      db.exec('COMMIT')
      const profiles: ColumnProfile[] = []
      for (const column of columns) {
        profiles.push(guarded(written, () => profileColumn(db, table, column)))
        await pause()
      }
      return { image: guarded(written, () => toImage(db)), columns: profiles }
    },
    close: () => db.close(),
  }
}

function stored(cell: Cell, column: TypedColumn | undefined): Cell {
  if (cell === null) return null
  if (column?.commas) return plainNumber(String(cell), column.commas)
  return column?.type === 'text' ? String(cell) : cell
}

// Dates are declared as TEXT: in a column of a type called DATE, SQLite converts values to numbers.
const declaredTypes = { integer: 'INTEGER', real: 'REAL', date: 'TEXT', text: 'TEXT' } as const

/** Creates the table, and a statement that inserts an array of rows given as JSON. */
function prepareInsert(db: Database, { table, columns }: TableOptions) {
  const declared = columns.map(({ name, type }) => `${quoteName(name)} ${declaredTypes[type]}`)
  // No other connection uses this database, and a failed load discards it, so it needs no rollback.
  db.exec('PRAGMA journal_mode = OFF')
  db.exec(`CREATE TABLE ${quoteName(table)} (${declared.join(', ')})`)
  db.exec('BEGIN')
  // A numeric column converts texts that look like numbers.
  const cells = columns.map((_, column) => `value ->> ${column}`)
  return db.prepare(`INSERT INTO ${quoteName(table)} SELECT ${cells.join(', ')} FROM jsonb_each(?)`)
}

function guarded<Value>(rows: number, work: () => Value): Value {
  try {
    return work()
  } catch (cause) {
    const reason = textOfError(cause)
    const where = rows === 0 ? 'at the first row' : `after ${counted(rows, 'row')}`
    throw new ToolError(
      'failed',
      /memory|alloc|NOMEM|FULL/i.test(reason)
        ? `The table does not fit into memory: SQLite failed ${where}. Load a smaller part of the file.`
        : `SQLite cannot store the table (${where}): ${reason}`,
      { cause },
    )
  }
}

const pagesInPart = 1024

/**
 * The bytes of a database as a Blob. They are copied page by page, because SQLite's own serialization needs the whole
 * database a second time inside the WebAssembly memory, and a third time outside.
 */
function toImage(db: Database): Blob {
  const statement = db.prepare('SELECT data FROM sqlite_dbpage ORDER BY pgno')
  const parts: Blob[] = []
  let pages: BlobPart[] = []
  while (statement.step()) {
    pages.push(new Uint8Array(statement.getBlob(0) ?? []))
    if (pages.length < pagesInPart) continue
    parts.push(new Blob(pages))
    pages = []
  }
  return new Blob([...parts, ...pages], { type: 'application/vnd.sqlite3' })
}
