import { ToolError } from '@offthread/core/worker'
import type { Database, Sqlite3Static } from '@sqlite.org/sqlite-wasm'

/** Attaches database images to `db`. Queries use the tables in them by their plain names. */
export async function attachImages(
  sqlite: Sqlite3Static,
  db: Database,
  images: ReadonlyMap<string, Blob>,
): Promise<void> {
  let count = 0
  for (const [table, image] of images) {
    const schema = `image_${++count}`
    db.exec(`ATTACH ':memory:' AS ${schema}`)
    try {
      await attach({ sqlite, db, schema, image })
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new ToolError(
        'failed',
        `Table "${table}" cannot be opened (${reason}). Load it again.`,
        {
          cause,
        },
      )
    }
  }
}

interface Attachment {
  readonly sqlite: Sqlite3Static
  readonly db: Database
  readonly schema: string
  readonly image: Blob
}

async function attach({ sqlite, db, schema, image }: Attachment): Promise<void> {
  const { capi, wasm } = sqlite
  const place = wasm.alloc(image.size)
  await copyInto(wasm.heap8u, image, place)
  // SQLite owns the memory now, even if this fails.
  const flags = capi.SQLITE_DESERIALIZE_FREEONCLOSE | capi.SQLITE_DESERIALIZE_READONLY
  db.checkRc(capi.sqlite3_deserialize(db, schema, place, image.size, image.size, flags))
  // SQLite checks a deserialized image only when it is used.
  db.exec(`SELECT count(*) FROM ${schema}.sqlite_schema`)
}

/** Copies a Blob into SQLite's memory piece by piece, so that no ArrayBuffer holds it as a whole. */
async function copyInto(heap: () => Uint8Array, blob: Blob, place: number): Promise<void> {
  const reader = blob.stream().getReader()
  let at = place
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    // A new view each time, because the memory may have grown.
    heap().set(value, at)
    at += value.length
  }
  if (at - place !== blob.size) throw new Error('its image is incomplete')
}
