import { expect, onTestFinished, test, vi } from 'vitest'
import { installFakeIndexedDb } from '../storage/indexeddb/fake-indexed-db.fixtures.ts'
import { indexedDb } from '../storage/indexeddb/indexed-db.ts'
import { sessionsIn } from './sessions-in.ts'

installFakeIndexedDb()

test('[D111] to create, rename, export and delete one session costs the same among few and many', async () => {
  const sessions = sessionsIn(indexedDb({ name: 'cost' }))
  const count = countRequests()
  const costs: number[][] = []
  for (const [from, to] of [
    [0, 3],
    [3, 40],
  ] as const) {
    for (let one = from; one < to; one += 1) await sessions.create({ sessionId: `kept-${one}` })
    costs.push([
      await count(() => sessions.create({ sessionId: 'one' })),
      await count(() => sessions.rename('one', 'Another')),
      await count(async () => (await sessions.export('one')).cancel()),
      await count(() => sessions.delete('one')),
    ])
  }

  expect(costs[1]).toEqual(costs[0])
})

/** How many requests to the database a work makes. */
function countRequests() {
  const spies = [
    ...(['get', 'getAllKeys', 'openCursor', 'openKeyCursor', 'add', 'put'] as const).map((name) =>
      vi.spyOn(IDBObjectStore.prototype, name),
    ),
    vi.spyOn(IDBCursor.prototype, 'continue'),
  ]
  onTestFinished(() => void vi.restoreAllMocks())
  const made = () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  return async (work: () => Promise<unknown>): Promise<number> => {
    const before = made()
    await work()
    return made() - before
  }
}
