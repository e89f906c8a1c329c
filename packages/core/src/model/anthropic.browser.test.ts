import { anthropic } from './anthropic.ts'
import { responseIn } from './fake-anthropic.fixtures.ts'
import { modelContract } from './model.contract.ts'

modelContract('anthropic in a page', (situation) =>
  anthropic({ model: 'claude-test', fetch: async () => responseIn(situation) }),
)
