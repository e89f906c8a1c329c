// agent.ts: lives outside React, for as long as the page.
import { createAgent, inWorkers } from '@offthread/core'
import { model } from './model.ts'
import { countPrimes } from './tools.ts'

export const agent = createAgent({
  model,
  system: 'You answer questions about numbers. Use your tools instead of guessing.',
  // Bundlers understand this expression, as long as it is written here and like this.
  tools: inWorkers(
    [countPrimes],
    () => new Worker(new URL('./tools.worker.ts', import.meta.url), { type: 'module' }),
  ),
})
