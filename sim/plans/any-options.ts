import fc from 'fast-check'
import type { OptionsPlan } from '../plan.ts'

/** Options of every kind. Each is left at its default now and then, so that a failure shrinks to the few that matter. */
export const anyOptions: fc.Arbitrary<OptionsPlan> = fc.record(
  {
    maxConcurrency: fc.constantFrom(1, 2, 3, 8),
    maxCallsPerTurn: fc.constantFrom(1, 3),
    maxTurns: fc.constantFrom(null, 1, 2, 3),
    maxToolResultChars: fc.constant(100),
    abortGraceMs: fc.constantFrom(0, 250),
  },
  { requiredKeys: [] },
)
