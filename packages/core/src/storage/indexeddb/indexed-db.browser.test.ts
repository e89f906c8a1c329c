import { describeUnderFaults } from '../faults.contract.ts'
import { lateStorage } from '../faulty-storage.fixtures.ts'
import { describeRedaction } from '../redaction.contract.ts'
import { describeStorage } from '../storage.contract.ts'
import { indexedDb } from './indexed-db.ts'

const create = () => indexedDb({ name: crypto.randomUUID() })

describeStorage('indexedDb', create)
describeStorage('indexedDb, with late answers', () => lateStorage(create()))
describeUnderFaults('indexedDb', create)
describeRedaction('indexedDb', create)
