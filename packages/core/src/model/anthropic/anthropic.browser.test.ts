import { modelContract } from '../model.contract.ts'
import { anthropic } from './anthropic.ts'
import { responseIn } from './fake.fixtures.ts'

modelContract('anthropic in a page', (situation) =>
  anthropic({ model: 'claude-test', fetch: async () => responseIn(situation) }),
)
