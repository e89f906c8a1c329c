import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scripts } from './modes/scripts.ts'
import { brokenBy, withSnapshots } from './modes/snapshots.ts'
import { anyPlan } from './plans/any-plan.ts'
import { play } from './play.ts'
import { readable } from './readable.ts'

test('[D37] [D38] [I6] simulated sessions open to the same state with a snapshot and without', async () => {
  await fc.assert(
    fc.asyncProperty(anyPlan, async (plan) => {
      expect((await withSnapshots(plan)).broken, readable(plan)).toEqual([])
    }),
    { seed: 37, numRuns: 60 },
  )
})

test('[D37] [D38] each prefix of a script opens to the same state with a snapshot of any other', async () => {
  for (const script of scripts) {
    const log = (await play(script)).disk()
    for (let head = 1; head <= log.length; head += 5) {
      for (let covered = 1; covered <= log.length; covered += 7) {
        expect(await brokenBy(log, { head, covered })).toEqual([])
      }
    }
  }
})
