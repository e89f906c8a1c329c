import { describeUnderFaults } from './faults.contract.ts'
import { lateStorage } from './faulty-storage.fixtures.ts'
import { memoryStorage } from './memory.ts'
import { describeRedaction } from './redaction.contract.ts'
import { describeStorage } from './storage.contract.ts'

describeStorage('memoryStorage', memoryStorage)
describeStorage('memoryStorage, with late answers', () => lateStorage(memoryStorage()))
describeUnderFaults('memoryStorage', memoryStorage)
describeRedaction('memoryStorage', memoryStorage)
describeRedaction('memoryStorage, with late answers', () => lateStorage(memoryStorage()))
