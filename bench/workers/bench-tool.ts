import { faultTool } from '../../packages/core/src/tools/fixtures/faults.fixtures.ts'

/** A tool with a zod schema, as in most apps. Its code is one of `ways.ts`. */
export const benchTool = faultTool({ timeoutMs: 120_000 })

/** The same tool, with its bytes moved instead of copied. */
export const movingTool = { ...benchTool, transferResources: true }
