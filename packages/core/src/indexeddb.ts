export type { IndexedDbOptions } from './storage/indexeddb/indexed-db.ts'
export { indexedDb } from './storage/indexeddb/indexed-db.ts'
