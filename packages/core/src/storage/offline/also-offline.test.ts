import { describeUnderFaults } from '../faults.contract.ts'
import { lateStorage } from '../faulty-storage.fixtures.ts'
import { memoryStorage } from '../memory.ts'
import { describeRedaction } from '../redaction.contract.ts'
import { describeStorage } from '../storage.contract.ts'
import { alsoOffline } from './also-offline.ts'

const create = () => alsoOffline(memoryStorage(), memoryStorage())
const createLate = () => alsoOffline(lateStorage(memoryStorage()), lateStorage(memoryStorage()))

describeStorage('alsoOffline', create)
describeStorage('alsoOffline, with late answers', createLate)
describeUnderFaults('alsoOffline', create)
describeRedaction('alsoOffline', create)
describeRedaction('alsoOffline, with late answers', createLate)
