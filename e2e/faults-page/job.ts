import { defineTool } from '@offthread/core'
import { z } from 'zod'

/** Reports each time that it runs to the witness, and takes its time. */
export const job = defineTool({
  name: 'job',
  label: 'Job',
  description: 'Takes its time.',
  inputSchema: z.object({
    ms: z.number(),
    witness: z.string(),
    /** A person has to allow it first. */
    asks: z.boolean().optional(),
  }),
  needsApproval: ({ asks }) => asks === true,
})
