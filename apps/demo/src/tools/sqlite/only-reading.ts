import type { Database, Sqlite3Static } from '@sqlite.org/sqlite-wasm'

/**
 * Makes a connection read-only. SQLite's authorizer denies every action that reading does not need. The function that
 * is returned names the first action that was denied.
 */
export function allowOnlyReading({ capi }: Sqlite3Static, db: Database): () => string | undefined {
  db.exec('PRAGMA query_only = ON; PRAGMA trusted_schema = OFF')
  const allowed: ReadonlySet<number> = new Set([
    capi.SQLITE_SELECT,
    capi.SQLITE_READ,
    capi.SQLITE_FUNCTION,
    capi.SQLITE_RECURSIVE,
  ])
  const verbs = new Map<number, string>([
    [capi.SQLITE_DELETE, 'DELETE'],
    [capi.SQLITE_INSERT, 'INSERT'],
    [capi.SQLITE_UPDATE, 'UPDATE'],
    [capi.SQLITE_PRAGMA, 'PRAGMA'],
    [capi.SQLITE_ATTACH, 'ATTACH'],
  ])
  let denied: string | undefined
  const authorize = (_: number, action: number, table: string | 0): number => {
    // The main schema does not list the attached tables, so the model would conclude that there are none.
    const isSchema = typeof table === 'string' && /^sqlite_(temp_)?(master|schema)$/i.test(table)
    if (allowed.has(action) && !(action === capi.SQLITE_READ && isSchema)) return capi.SQLITE_OK
    denied ??= isSchema && allowed.has(action) ? 'sqlite_schema' : (verbs.get(action) ?? 'a change')
    return capi.SQLITE_DENY
  }
  db.checkRc(capi.sqlite3_set_authorizer(db, authorize, 0))
  return () => denied
}
