import { ToolError } from '@offthread/core/worker'
import type { Database, Sqlite3Static } from '@sqlite.org/sqlite-wasm'
import { textOfError } from '../../text/error-text.ts'
import { readChunks } from '../table/read-text.ts'

/** Attaches database images to `db`. Queries use the tables in them by their plain names. */
export async function attachImages(
  { capi, wasm }: Sqlite3Static,
  db: Database,
  images: ReadonlyMap<string, Blob>,
): Promise<void> {
  for (const [at, [table, image]] of [...images].entries()) {
    const schema = `image_${at}`
    db.exec(`ATTACH ':memory:' AS ${schema}`)
    try {
      const place = wasm.alloc(image.size)
      await copyInto(wasm.heap8u, image, place)
      // SQLite owns the memory now, even if this fails.
      const flags = capi.SQLITE_DESERIALIZE_FREEONCLOSE | capi.SQLITE_DESERIALIZE_READONLY
      db.checkRc(capi.sqlite3_deserialize(db, schema, place, image.size, image.size, flags))
      // SQLite checks a deserialized image only when it is used.
      db.exec(`SELECT count(*) FROM ${schema}.sqlite_schema`)
    } catch (cause) {
      const problem = `Table "${table}" cannot be opened (${textOfError(cause)}). Load it again.`
      throw new ToolError('failed', problem, { cause })
    }
  }
}

/** Copies a Blob into SQLite's memory piece by piece, so that no ArrayBuffer holds it as a whole. */
async function copyInto(heap: () => Uint8Array, blob: Blob, place: number): Promise<void> {
  let at = place
  for await (const chunk of readChunks(blob)) {
    // A new view each time, because the memory may have grown.
    heap().set(chunk, at)
    at += chunk.length
  }
  if (at - place !== blob.size) throw new Error('its image is incomplete')
}
