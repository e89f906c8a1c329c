import { defineTool } from '@offthread/core'
import { z } from 'zod'

export const searchDocs = defineTool({
  name: 'search_docs',
  label: 'Search documents',
  description:
    'Full-text search over the documentation of this project (the library Offthread and this page) and over the text and Markdown files that the user dropped. Returns the best sections with a snippet. Search for the words that an answer would hold, not for a question.',
  inputSchema: z.object({
    query: z.string().min(1).max(300).describe('A few words. A phrase stands in double quotes.'),
    limit: z.int().min(1).max(20).default(5),
  }),
  outputSchema: z.object({
    /** How many sections were searched, and in how many files. */
    sections: z.number(),
    files: z.number(),
    hits: z.array(
      z.object({
        file: z.string(),
        heading: z.string(),
        /** A piece of the section, with the hits between `**`. */
        snippet: z.string(),
      }),
    ),
  }),
  effects: 'none',
  timeoutMs: 2 * 60_000,
})
