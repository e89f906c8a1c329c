// What the model may call: small, because the page loads it, too.
import { defineTool } from '@offthread/core'
import { z } from 'zod'

export const longestWord = defineTool({
  name: 'longest_word',
  label: 'Longest word',
  description: 'Finds the longest word of a text.',
  inputSchema: z.object({ text: z.string() }),
  outputSchema: z.object({ word: z.string() }),
})
