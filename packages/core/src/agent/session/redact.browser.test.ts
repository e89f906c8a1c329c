import { openDB } from 'idb'
import { indexedDb } from '../../storage/indexeddb/indexed-db.ts'
import { describeRedactedSessions } from './redaction.contract.ts'
import { dumpOf } from './stored-dump.fixtures.ts'

describeRedactedSessions('indexedDb', () => {
  const name = crypto.randomUUID()
  return { storage: indexedDb({ name }), dump: async () => dumpOf(await openDB(name)) }
})
