// calculator.ts: one tool, and what it computes.
import { defineTool, implement, inPage } from '@offthread/core'
import { z } from 'zod'

export const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  place: 'page',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  outputSchema: z.object({ sum: z.number() }),
})

export function sumOf({ a, b }: { readonly a: number; readonly b: number }): { sum: number } {
  return { sum: a + b }
}

export const tools = inPage([implement(add, sumOf)])
