import type { PageTurns } from '../internal/environment.ts'
import type { Batch } from '../kernel/state.ts'

/** Resolves when a fact of one of these calls may be written: at once, or after the page had its turn. */
export type Pace = (batch: Batch | null) => Promise<void>

/**
 * Many calls may end in one moment, for instance when they are stopped: each fact costs a look at all the others. So few
 * may be written in one task; the rest follow in later tasks, in the order in which they came.
 */
export function createPace({ mostCalls, next }: PageTurns): Pace {
  const waiting: (() => void)[] = []
  let passed = 0

  async function letMorePass(): Promise<void> {
    while (passed > 0) {
      await next()
      const now = waiting.splice(0, mostCalls)
      passed = now.length
      for (const pass of now) pass()
    }
  }

  return async (batch) => {
    if ((batch?.calls.length ?? 0) <= mostCalls) return
    if (passed === mostCalls) return new Promise((resolve) => waiting.push(resolve))
    passed += 1
    if (passed === 1) void letMorePass()
  }
}
