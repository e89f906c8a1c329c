// agent.ts: lives outside React, for as long as the page.
import { createAgent, inWorkers } from '@offthread/core'
import { anthropic } from '@offthread/core/anthropic'
import { countPrimes } from './tools.ts'

export const agent = createAgent({
  system: 'You answer questions about numbers. Use your tools instead of guessing.',
  // A server of yours that adds the key. A page has no secrets.
  model: anthropic({ model: 'claude-opus-5-5', baseURL: '/api/anthropic', apiKey: null }),
  // Written inline and literally like this, every bundler understands it.
  tools: inWorkers(
    [countPrimes],
    () => new Worker(new URL('./tools.worker.ts', import.meta.url), { type: 'module' }),
  ),
})
