import { faultTool } from '../../packages/core/src/tools/fixtures/faults.fixtures.ts'

/** Its input has a zod schema, as most have. It does one of `ways.ts`. */
export const benchTool = faultTool({ timeoutMs: 120_000 })

/** The same tool, with its bytes moved instead of copied. */
export const movingTool = { ...benchTool, transferResources: true }
