import { memoryStorage } from '@offthread/core'
import { describeUnderFaults } from '../../../core/src/storage/faults.contract.ts'
import { lateStorage } from '../../../core/src/storage/faulty-storage.fixtures.ts'
import { describeRedaction } from '../../../core/src/storage/redaction.contract.ts'
import { describeStorage } from '../../../core/src/storage/storage.contract.ts'
import { alsoOffline } from './also-offline.ts'

const create = () => alsoOffline(memoryStorage(), memoryStorage())
const createLate = () => alsoOffline(lateStorage(memoryStorage()), lateStorage(memoryStorage()))

describeStorage('alsoOffline', create)
describeStorage('alsoOffline, with late answers', createLate)
describeUnderFaults('alsoOffline', create)
describeRedaction('alsoOffline', create)
describeRedaction('alsoOffline, with late answers', createLate)
