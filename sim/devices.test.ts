import fc from 'fast-check'
import { expect, test } from 'vitest'
import { playDevices } from './devices.ts'

test('[K1] [K2] [K3] devices that share a session over a bad network keep its log and its owner', async () => {
  let events = 0
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const { log, broken } = await playDevices(seed)
      expect(broken).toEqual([])
      events += log.length
    }),
    { numRuns: 40 },
  )
  expect(events).toBeGreaterThan(400)
})
