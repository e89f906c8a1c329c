import { describeStorage } from '../storage/storage.contract.ts'
import { createPuppetStorage } from './puppet-storage.fixtures.ts'

describeStorage('the storage of tests', () => createPuppetStorage())
