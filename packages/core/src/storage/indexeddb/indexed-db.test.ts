import 'fake-indexeddb/auto'
import { describeStorage } from '../storage.contract.ts'
import { indexedDb } from './indexed-db.ts'

let databases = 0

describeStorage('indexedDb', () => indexedDb({ name: `test-${databases++}` }))
