// tools.ts: what the model may call. The page loads it, so it is small.
import { defineTool } from '@offthread/core'
import { z } from 'zod'

export const countPrimes = defineTool({
  name: 'count_primes',
  label: 'Count primes',
  description: 'Counts the primes below n.',
  inputSchema: z.object({ n: z.number().int().positive() }),
  outputSchema: z.object({ count: z.number() }),
})
