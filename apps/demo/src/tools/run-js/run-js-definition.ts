import { defineTool } from '@offthread/core'
import { z } from 'zod'

export const runJs = defineTool({
  name: 'run_js',
  label: 'Run JavaScript',
  description:
    'Runs JavaScript in an interpreter of its own, without network, storage, timers or access to the page, in at most 64 MB of memory. Returns the value of the last expression as text; a promise is awaited. Lines written with console.log go to the log of the call. Use it to compute what SQL cannot.',
  inputSchema: z.object({
    code: z
      .string()
      .min(1)
      .describe(
        'A script. Its last expression is the result; there is no return at the top level.',
      ),
    seconds: z
      .number()
      .positive()
      .max(300)
      .default(10)
      .describe('How long it may run before it is interrupted.'),
  }),
  outputSchema: z.object({
    /** As the console of a browser shows it. */
    value: z.string(),
    type: z.string(),
  }),
  effects: 'none',
  timeoutMs: 6 * 60_000,
})
