import * as fake from 'fake-indexeddb'
import { afterAll } from 'vitest'

/** Gives Node an IndexedDB of its own for the tests of one file: files that share a thread also have those that need none. */
export function installFakeIndexedDb(): void {
  const { default: _, forceCloseDatabase: __, ...api } = fake
  Object.assign(globalThis, api, { indexedDB: new fake.IDBFactory() })
  afterAll(() => {
    for (const name of Object.keys(api)) Reflect.deleteProperty(globalThis, name)
  })
}
