// What the model may call: small, because the page loads it, too.
import { defineTool } from '@offthread/core'
import { z } from 'zod'

export const countPrimes = defineTool({
  name: 'count_primes',
  label: 'Count primes',
  description: 'Counts the primes below n.',
  inputSchema: z.object({ n: z.number().int().positive() }),
  outputSchema: z.object({ count: z.number() }),
  effects: 'none',
  // What takes long is asked first. Any device may answer.
  needsApproval: ({ n }) => n > 10_000_000,
})
