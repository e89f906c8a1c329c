import type { Sqlite3Static } from '@sqlite.org/sqlite-wasm'

/**
 * The calls that are made for every field, without the conversions of the typed interface: with them, loading a
 * file takes several times as long. A pointer is a number.
 */
export interface RawSqlite {
  readonly sqlite3_bind_null: (statement: number, index: number) => number
  readonly sqlite3_bind_double: (statement: number, index: number, value: number) => number
  readonly sqlite3_bind_text: (...args: BindText) => number
  readonly sqlite3_step: (statement: number) => number
  readonly sqlite3_reset: (statement: number) => number
}

type BindText = [statement: number, index: number, text: number, bytes: number, destructor: number]

/** For `sqlite3_bind_text`: the bytes stay where they are until the statement is reset. */
export const staticText = 0

export function rawSqlite({ wasm }: Sqlite3Static): RawSqlite {
  const exported: unknown = wasm.exports
  if (!isRawSqlite(exported)) throw new TypeError('This build of SQLite lacks the C interface.')
  return exported
}

function isRawSqlite(value: unknown): value is RawSqlite {
  return typeof value === 'object' && value !== null && 'sqlite3_bind_text' in value
}
