import type { Database, Sqlite3Static } from '@sqlite.org/sqlite-wasm'

export interface Prepared {
  /** Pointer to the statement; 0 if the text holds none. */
  readonly statement: number
  /** What follows the first statement. */
  readonly rest: string
}

/** Compiles the first statement of some SQL. Throws SQLite's own error. */
export function prepare({ capi, wasm }: Sqlite3Static, db: Database, sql: string): Prepared {
  const scope = wasm.scopedAllocPush()
  try {
    const [text, length] = wasm.scopedAllocCString(sql, true)
    const statementOut = wasm.scopedAlloc(8)
    const restOut = statementOut + 4
    db.checkRc(capi.sqlite3_prepare_v3(db, text, length + 1, 0, statementOut, restOut))
    const rest = wasm.cstrToJs(wasm.peekPtr(restOut)) ?? ''
    return { statement: wasm.peekPtr(statementOut), rest }
  } finally {
    wasm.scopedAllocPop(scope)
  }
}

/** Quotes a name for SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
