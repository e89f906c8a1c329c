import type { Database, Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { prepare } from './statement.ts'

const partSize = 4 * 1_048_576

/**
 * The bytes of a database as a Blob. They are copied page by page, because SQLite's own serialization needs the whole
 * database a second time inside the WebAssembly memory, and a third time outside.
 */
export function toImage(sqlite: Sqlite3Static, db: Database): Blob {
  const { capi, wasm } = sqlite
  const { statement } = prepare(sqlite, db, 'SELECT data FROM sqlite_dbpage ORDER BY pgno')
  const parts: Blob[] = []
  const part = new Uint8Array(partSize)
  let size = 0
  const flush = () => {
    parts.push(new Blob([part.subarray(0, size)]))
    size = 0
  }
  try {
    while (capi.sqlite3_step(statement) === capi.SQLITE_ROW) {
      const page = capi.sqlite3_column_blob(statement, 0)
      const length = capi.sqlite3_column_bytes(statement, 0)
      if (size + length > part.length) flush()
      part.set(wasm.heap8u().subarray(page, page + length), size)
      size += length
    }
  } finally {
    capi.sqlite3_finalize(statement)
  }
  flush()
  return new Blob(parts, { type: 'application/vnd.sqlite3' })
}
