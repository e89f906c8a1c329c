import { memoryStorage } from './memory.ts'
import { describeStorage } from './storage.contract.ts'

describeStorage('memoryStorage', memoryStorage)
