import { responseIn } from '../http/streamed.fixtures.ts'
import { modelContract } from '../model.contract.ts'
import { sentTwoCalls } from './fake.fixtures.ts'
import { openai } from './openai.ts'

modelContract('openai in a page', (situation) =>
  openai({ model: 'gpt-test', fetch: async () => responseIn(situation, sentTwoCalls) }),
)
