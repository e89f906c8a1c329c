import { defineTool } from '@offthread/core'
import { z } from 'zod'

export const sumBelow = defineTool({
  name: 'sum_below',
  description: 'Adds the numbers below n.',
  inputSchema: z.object({ n: z.number() }),
  outputSchema: z.object({ sum: z.number() }),
})

export const double = defineTool({
  name: 'double',
  description: 'Doubles a number with heavy code.',
  inputSchema: z.object({ n: z.number() }),
  outputSchema: z.object({ doubled: z.number() }),
})

export const loopForever = defineTool({
  name: 'loop_forever',
  description: 'Never ends.',
  inputSchema: z.object({}),
})
