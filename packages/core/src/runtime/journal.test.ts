import { expect, test } from 'vitest'
import { inTime } from '../agent/session/in-time.ts'
import { storageFailure } from '../agent/session/storage-failure.ts'
import { createDeferred } from '../internal/deferred.ts'
import type { DurableEvent } from '../kernel/events.ts'
import type { RunError } from '../kernel/run-error.ts'
import { memoryStorage } from '../storage/memory.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { quiet } from './environment.fixtures.ts'
import { createJournal } from './journal.ts'
import { type AppendOutcome, createPuppetStorage } from './puppet-storage.fixtures.ts'

const event = (seq: number): DurableEvent => ({
  v: 1,
  seq,
  ts: 0,
  sessionId: 'session_1',
  runId: null,
  turn: 0,
  type: 'warning',
  code: 'test',
  message: `event ${seq}`,
})

function journalOver(storage = createPuppetStorage()) {
  const failures: RunError[] = []
  const clock = fakeClock()
  const journal = createJournal({
    storage: inTime(storage, clock),
    sessionId: 'session_1',
    position: { head: 0, epoch: 0 },
    onFailure: (thrown) => failures.push(storageFailure(thrown)),
  })
  const settled: string[] = []
  return { journal, storage, failures, clock, settled }
}

test('facts added before a flush are one append; those that come during it are the next', async () => {
  const gate = createDeferred<void>()
  const { journal, storage } = journalOver(
    createPuppetStorage((_, number): AppendOutcome => (number === 1 ? gate.promise : 'stored')),
  )
  journal.add(event(0))
  journal.add(event(1))
  journal.flush()
  for (const seq of [2, 3, 4]) {
    journal.add(event(seq))
    journal.flush()
  }
  await quiet()
  expect(storage.appends).toHaveLength(1)

  gate.resolve()
  await journal.stored()

  expect(storage.appends.map((batch) => batch.map(({ seq }) => seq))).toEqual([
    [0, 1],
    [2, 3, 4],
  ])
})

test('stored() waits for the facts added before it, and for nothing else', async () => {
  const first = createDeferred<void>()
  const second = createDeferred<void>()
  const { journal, settled } = journalOver(
    createPuppetStorage((_, number) => (number === 1 ? first.promise : second.promise)),
  )
  await journal.stored()
  journal.add(event(0))
  journal.flush()
  void journal.stored().then(() => settled.push('first'))
  journal.add(event(1))
  journal.flush()
  void journal.stored().then(() => settled.push('second'))

  await quiet()
  expect(settled).toEqual([])
  first.resolve()
  await quiet()
  expect(settled).toEqual(['first'])
  second.resolve()
  await quiet()
  expect(settled).toEqual(['first', 'second'])
})

test('a flush of nothing stores nothing', async () => {
  const { journal, storage } = journalOver()

  journal.flush()
  await journal.stored()

  expect(storage.appends).toEqual([])
})

test('[I1] a failure is reported once, nothing is stored after it, and stored() never resolves', async () => {
  const { journal, storage, failures, settled } = journalOver(createPuppetStorage(() => 'lost'))
  journal.add(event(0))
  journal.flush()
  void journal.stored().then(() => settled.push('stored'))
  await quiet()
  journal.add(event(1))
  journal.flush()
  await quiet()

  expect(failures).toMatchObject([{ kind: 'storage', retryable: false }])
  expect(settled).toEqual([])
  // The append, and one retry.
  expect(storage.appends).toHaveLength(2)
  expect(await storage.log()).toEqual([])
})

test('[I1] an append after one of another writer is a conflict, and is not tried again', async () => {
  const memory = memoryStorage()
  await memory.append('session_1', { head: 0, epoch: 0 }, [event(0)])
  let appends = 0
  const { journal, failures } = journalOver({
    ...createPuppetStorage(),
    read: memory.read,
    append: (...args) => {
      appends += 1
      return memory.append(...args)
    },
  })
  journal.add({ ...event(0), ts: 7 })
  journal.flush()
  await quiet()

  expect(failures[0]?.message).toContain('changed somewhere else')
  expect(appends).toBe(1)
  expect(await memory.read('session_1')).toEqual([event(0)])
})

test('a storage that does not answer for 10 s has failed', async () => {
  const { journal, failures, clock } = journalOver({
    ...createPuppetStorage(),
    append: () => new Promise(() => {}),
    read: () => new Promise(() => {}),
  })
  journal.add(event(0))
  journal.flush()
  await quiet()
  clock.advance(9999)
  await quiet()
  clock.advance(1)
  await quiet()
  clock.advance(10_000)
  await quiet()

  expect(failures).toMatchObject([{ kind: 'storage' }])
  expect(failures[0]?.message).toContain('it did not answer in time')
  expect(clock.pending()).toBe(0)
})

test('[I1] a page that goes away hands over what is under way, too; one that lives on stores it once', async () => {
  const memory = memoryStorage()
  const gate = createDeferred<void>()
  const { journal, failures } = journalOver({
    ...createPuppetStorage(),
    read: memory.read,
    append: async (id, position, events) => {
      if (!position.isLast) await gate.promise
      await memory.append(id, position, events)
    },
  })
  journal.add(event(0))
  journal.flush()
  journal.add(event(1))

  journal.rescue()
  await quiet()
  expect(await memory.read('session_1')).toEqual([event(0), event(1)])

  gate.resolve()
  journal.flush()
  await journal.stored()
  expect(await memory.read('session_1')).toEqual([event(0), event(1)])
  expect(failures).toEqual([])
})

test('[I1] after a failure a page that goes away hands nothing over: it would leave a gap', async () => {
  const { journal, storage } = journalOver(createPuppetStorage(() => 'lost'))
  journal.add(event(0))
  journal.flush()
  await quiet()
  journal.add(event(1))
  const { length } = storage.appends

  journal.rescue()
  await quiet()

  expect(storage.appends).toHaveLength(length)
})
