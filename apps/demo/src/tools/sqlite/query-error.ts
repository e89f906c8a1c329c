import { ToolError } from '@offthread/core/worker'
import { listed } from '../../text/quantity.ts'
import type { CatalogEntry } from '../catalog.ts'
import { logTables } from '../event-log.ts'
import { notOneSelect } from './sql-text.ts'

export interface ErrorContext {
  readonly sql: string
  readonly catalog: readonly CatalogEntry[]
  /** The action that SQLite denied to the query, if any. */
  readonly denied: string | undefined
}

/** Turns SQLite's error into a sentence from which the model can correct its query. */
export function toQueryError(error: Error, context: ErrorContext): ToolError {
  const { denied } = context
  const tables = tablesThere(context.catalog)
  // The wrapper puts a code before SQLite's message.
  const message = error.message.replace(/^SQLITE_\w+: (?:sqlite3 result code \d+: )?/, '')
  if (denied === 'sqlite_schema')
    return new ToolError('invalid_args', `The schema tables cannot be read. ${tables}`)
  if (denied) return notOneSelect(`this one contains ${denied}`)
  const table = /^no such table: (?:\w+\.)?(.+)$/s.exec(message)?.[1]
  if (table) return new ToolError('not_found', `There is no table called "${table}". ${tables}`)
  const column = /^no such column: (.+?)(?: - should this be a string literal.*)?$/s.exec(message)
  if (column?.[1]) return unknownColumn(column[1], message, context)
  if (/memory|SQLITE_NOMEM|WasmAlloc/i.test(message)) {
    return new ToolError('failed', 'The query needs more memory than there is. Make it smaller.')
  }
  return new ToolError('invalid_args', `SQL error: ${message}.`)
}

function unknownColumn(column: string, message: string, { catalog, sql }: ErrorContext): ToolError {
  const lowerSql = sql.toLowerCase()
  const own = Object.entries(logTables).map(([table, columns]) => ({ table, columns }))
  const named = [...catalog, ...own].filter(({ table }) => lowerSql.includes(table.toLowerCase()))
  const lists = named.map(({ table, columns }) => `${table} has ${listed(columns, 40)}.`)
  const hint = message.includes('string literal') ? ' A string is written in single quotes.' : ''
  return new ToolError(
    'invalid_args',
    [`There is no column called ${column}.${hint}`, ...lists].join(' ').slice(0, 3000),
  )
}

function tablesThere(catalog: readonly CatalogEntry[]): string {
  if (catalog.length === 0) return 'No table is loaded. Load a file with load_table first.'
  const tables = catalog.map(({ table, columns }) => `${table} (${listed(columns, 12)})`)
  return `Tables: ${tables.join('; ')}.`.slice(0, 3000)
}
