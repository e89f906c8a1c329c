import { describeUnderFaults } from './faults.contract.ts'
import { lateStorage } from './faulty-storage.fixtures.ts'
import { memoryStorage } from './memory.ts'
import { describeStorage } from './storage.contract.ts'

describeStorage('memoryStorage', memoryStorage)
describeStorage('memoryStorage, with late answers', () => lateStorage(memoryStorage()))
describeUnderFaults('memoryStorage', memoryStorage)
