import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DurableEvent } from '../packages/core/src/kernel/events.ts'
import { fold } from '../packages/core/src/kernel/fold.ts'
import { emptyState, type State } from '../packages/core/src/kernel/state.ts'
import { createManualEnvironment } from '../packages/core/src/runtime/environment.fixtures.ts'
import { sessionsWith } from '../packages/core/src/sessions/sessions-in.ts'
import { memoryStorage } from '../packages/core/src/storage/memory.ts'
import { anyPlan } from './plans/any-plan.ts'
import { play } from './play.ts'

test('[D27] [D28] a simulated log, cut anywhere, comes back from a file as it was and at rest', async () => {
  let whole = 0
  let closed = 0

  await fc.assert(
    fc.asyncProperty(anyPlan, async (plan) => {
      const stored = (await play(plan)).disk()
      fc.pre(stored.length > 0)
      const cut = stored.slice(0, 1 + (plan.seed % stored.length))

      for (const events of [stored, cut]) {
        const imported = await throughFile(events)
        expect(imported.slice(0, events.length)).toEqual(events)
        expect(stateOf(imported).run).toBeNull()
        if (imported.length > events.length) closed += 1
        else whole += 1
      }
    }),
    { seed: 13, numRuns: 100, endOnFailure: true },
  )

  expect(Math.min(whole, closed)).toBeGreaterThan(50)
})

/** The events after an export and an import in another storage. */
async function throughFile(events: readonly DurableEvent[]): Promise<readonly DurableEvent[]> {
  const [{ sessionId } = { sessionId: '' }] = events
  const [here, there] = [memoryStorage(), memoryStorage()]
  await here.append(sessionId, { head: 0, epoch: 0 }, events)
  const file = await sessionsWith(here, createManualEnvironment()).export(sessionId)
  await sessionsWith(there, createManualEnvironment()).import(file, { keepsId: true })
  return there.read(sessionId)
}

function stateOf(log: readonly DurableEvent[]): State {
  return log.reduce(fold, emptyState('session'))
}
