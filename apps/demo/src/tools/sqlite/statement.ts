import type { Database, Sqlite3Static } from '@sqlite.org/sqlite-wasm'

/**
 * Compiles the first statement of some SQL, and returns a pointer to it (0 if there is none) and what follows it.
 * Throws SQLite's own error.
 */
export function prepare({ capi, wasm }: Sqlite3Static, db: Database, sql: string) {
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

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
