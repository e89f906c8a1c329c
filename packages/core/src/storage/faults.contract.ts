import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createLiveOrder } from '../agent/session/live-order.ts'
import { platformClock } from '../internal/clock.ts'
import { type DurableEvent, isDurable } from '../kernel/events.ts'
import { fold } from '../kernel/fold.ts'
import { emptyState } from '../kernel/state.ts'
import { createJournal } from '../runtime/journal.ts'
import { type Fault, faultyStorage } from './faulty-storage.fixtures.ts'
import type { SessionStorage } from './port.ts'
import { log } from './storage.contract.ts'

/** What holds for everything that is written, whatever fault its storage has. `create` returns an empty one each time. */
export function describeUnderFaults(
  name: string,
  create: () => SessionStorage | Promise<SessionStorage>,
): void {
  describe(`${name}, with faults`, () => {
    test('[D10] [D63] [I1] nothing is doubled, nothing is missing, and what was acknowledged is there', async () => {
      await fc.assert(
        fc.asyncProperty(batches, faults, faults, async (sizes, appends, reads) => {
          const storage = await create()
          const written = await writeAll(storage, sizes, { append: appends, read: reads })
          const stored = await storage.read('s')

          // In order and without a gap, because it is how the written ones begin.
          expect(stored).toEqual(log(stored.length))
          expect(stored.length).toBeGreaterThanOrEqual(written.acknowledged)
          if (written.failures === 0) expect(stored).toEqual(log(written.total))
          expect(written.failures).toBeLessThanOrEqual(1)
        }),
        { seed: 63, numRuns: 100 },
      )
    })

    test('[J2] [D63] an append fails for good only if it was refused twice', async () => {
      const onceRefused = faults.filter(
        (drawn) => !drawn.some((fault, at) => fault === 'refused' && drawn[at + 1] === 'refused'),
      )
      await fc.assert(
        fc.asyncProperty(batches, onceRefused, async (sizes, appends) => {
          const storage = await create()
          const written = await writeAll(storage, sizes, { append: appends, read: [] })

          expect(written).toMatchObject({ failures: 0, acknowledged: written.total })
          expect(await storage.read('s')).toEqual(log(written.total))
        }),
        { seed: 64, numRuns: 100 },
      )
    })

    test('[D3] [D63] who follows has each event once, though each batch comes twice', async () => {
      const storage = faultyStorage(await create(), () => 'late')
      const seen: DurableEvent[] = []
      let state = emptyState('s')
      const { addStored } = createLiveOrder({
        state: () => state,
        replay: (events) => {
          for (const event of events) {
            state = fold(state, event)
            if (isDurable(event)) seen.push(event)
          }
        },
        onGap: () => {},
      })
      const stop = storage.follow('s', 0, addStored)
      for (let head = 0; head < 12; head += 3) {
        await storage.append('s', { head, epoch: 0 }, log(head + 3).slice(head))
      }

      await expect.poll(() => seen).toEqual(log(12))
      stop()
    })
  })
}

const batches = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 8 })
const faults = fc.array(
  fc.constantFrom<Fault>('none', 'none', 'none', 'late', 'refused', 'unanswered'),
  { maxLength: 12 },
)

/** Writes batches of these sizes through a journal, while the calls of the storage meet their faults in turn. */
async function writeAll(
  storage: SessionStorage,
  sizes: readonly number[],
  faultsOf: Readonly<Record<'append' | 'read', readonly Fault[]>>,
) {
  const due = { append: [...faultsOf.append], read: [...faultsOf.read] }
  let failures = 0
  let acknowledged = 0
  const journal = createJournal({
    storage: faultyStorage(storage, (method) =>
      method === 'append' || method === 'read' ? (due[method].shift() ?? 'none') : 'none',
    ),
    ...{ sessionId: 's', position: { head: 0, epoch: 0 }, clock: platformClock },
    isStrict: () => false,
    onFull: () => {},
    onFailure: () => {
      failures += 1
    },
  })
  const total = sizes.reduce((sum, size) => sum + size, 0)
  const events = log(total)
  let added = 0
  for (const size of sizes) {
    for (const event of events.slice(added, added + size)) journal.add(event)
    added += size
    journal.flush()
    const head = added
    void journal.stored().then(() => {
      acknowledged = head
    })
    // Half of the batches come while an append is under way.
    if (size > 1) await journal.drained()
  }
  await journal.drained()
  await Promise.resolve()
  return { total, failures, acknowledged }
}
