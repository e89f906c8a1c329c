import { ToolError } from '@offthread/core/worker'
import type { Sqlite3Static, SqlValue, StmtPtr } from '@sqlite.org/sqlite-wasm'
import type { z } from 'zod'
import type { CatalogEntry } from '../catalog.ts'
import type { sqlQuery } from '../definitions.ts'
import type { Cell } from '../table/cell-type.ts'
import { attachImages } from './attach-images.ts'
import { fillLogTables } from './fill-log-tables.ts'
import { allowOnlyReading } from './only-reading.ts'
import { toQueryError } from './query-error.ts'
import { checkBeginning, checkRest, notOneSelect } from './sql-text.ts'

export interface QueryJob {
  readonly sqlite: Sqlite3Static
  /** Database images, by the names of their tables. */
  readonly images: ReadonlyMap<string, Blob>
  /** The events of the agent, for a query that asks for them. */
  readonly log?: Blob
  readonly catalog: readonly CatalogEntry[]
  readonly sql: string
  /** Called every 1,024 rows. */
  readonly onRows: (count: number) => Promise<void>
}

export type QueryResult = z.output<typeof sqlQuery.outputSchema>

const mostRows = 200
const mostChars = 8000
const longestCell = 2000

export async function runQuery(job: QueryJob): Promise<QueryResult> {
  const { sqlite, images, log, sql } = job
  checkBeginning(sql)
  const db = new sqlite.oo1.DB(':memory:')
  let denied = (): string | undefined => undefined
  try {
    await attachImages(sqlite, db, images)
    if (log) await fillLogTables(db, log)
    denied = allowOnlyReading(sqlite, db)
    const { pointer = 0 } = db.prepare(sql)
    // SQLite compiles the first statement only.
    checkRest(sql.slice(sqlite.capi.sqlite3_sql(pointer).length))
    if (!sqlite.capi.sqlite3_stmt_readonly(pointer))
      throw notOneSelect('this one would change data')
    return await collect(job, pointer, (code) => db.checkRc(code))
  } catch (error) {
    const isOfSqlite =
      error instanceof sqlite.SQLite3Error || error instanceof sqlite.WasmAllocError
    throw isOfSqlite ? toQueryError(error, { ...job, denied: denied() }) : error
  } finally {
    db.close()
  }
}

async function collect(
  { sqlite: { capi }, onRows }: QueryJob,
  statement: StmtPtr,
  check: (code: number) => unknown,
): Promise<QueryResult> {
  const columns = Array.from({ length: capi.sqlite3_column_count(statement) }, (_, column) =>
    capi.sqlite3_column_name(statement, column),
  )
  const rows: Cell[][] = []
  let chars = JSON.stringify(columns).length
  let rowCount = 0
  let full = false
  // The wrapper of this function would write an error to the log of the call as well.
  let code = capi.sqlite3_step(statement)
  for (; code === capi.SQLITE_ROW; code = capi.sqlite3_step(statement)) {
    rowCount++
    if (rowCount % 1024 === 0) await onRows(rowCount)
    if (full) continue
    const row = columns.map((_, column) => toCell(capi.sqlite3_column_js(statement, column)))
    chars += JSON.stringify(row).length + 1
    if (chars > mostChars && rows.length === 0) throw tooWide(columns.length, chars)
    full = chars > mostChars || rows.length === mostRows
    if (!full) rows.push(row)
  }
  if (code !== capi.SQLITE_DONE) check(code)
  return { columns, rows, rowCount, truncated: rows.length < rowCount }
}

function toCell(value: SqlValue | undefined): Cell {
  if (value === null || value === undefined) return null
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  // JSON has no number of this size.
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'string') return shorten(value)
  const bytes = new Uint8Array(value instanceof ArrayBuffer ? value : value.buffer)
  const shown = Array.from(bytes.subarray(0, 32), (byte) => byte.toString(16).padStart(2, '0'))
  return `x'${shown.join('')}'${bytes.length > 32 ? `… (${bytes.length} bytes)` : ''}`
}

function shorten(text: string): string {
  if (text.length <= longestCell) return text
  return `${text.slice(0, longestCell)}… (${text.length.toLocaleString('en')} characters)`
}

function tooWide(columns: number, chars: number): ToolError {
  const size = `${chars.toLocaleString('en')} characters, more than fit into an answer`
  const advice = 'Select fewer columns, or parts of long texts with substr().'
  const problem = `One row of this result (${columns} columns) takes ${size}. ${advice}`
  return new ToolError('invalid_args', problem)
}
