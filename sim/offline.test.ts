import fc from 'fast-check'
import { expect, test } from 'vitest'
import { playOffline } from './offline.ts'

test('[K16] [K17] [K18] [K19] devices that go on without their server have all of it there in the end', async () => {
  let kept = 0
  let events = 0
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const played = await playOffline(seed)
      expect(played.broken).toEqual([])
      kept += played.kept
      events += played.log.length
    }),
    { numRuns: 40 },
  )
  expect(events).toBeGreaterThan(400)
  // The cases are there.
  expect(kept).toBeGreaterThan(10)
})
