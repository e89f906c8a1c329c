import { describeStorage } from '../storage.contract.ts'
import { indexedDb } from './indexed-db.ts'

describeStorage('indexedDb', () => indexedDb({ name: crypto.randomUUID() }))
