import type { IDBPDatabase } from 'idb'

/** All that a database holds, as text: every key, every record, and the bytes of every file. */
export async function dumpOf(database: IDBPDatabase): Promise<string> {
  const records: unknown[] = []
  for (const store of database.objectStoreNames) {
    records.push(await database.getAllKeys(store))
    for (const value of await database.getAll(store)) {
      records.push(value instanceof Blob ? await value.text() : value)
    }
  }
  database.close()
  return JSON.stringify(records)
}
