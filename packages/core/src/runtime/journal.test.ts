import { expect, test } from 'vitest'
import { inTime } from '../agent/session/in-time.ts'
import { storageFailure } from '../agent/session/role-changes.ts'
import { createDeferred } from '../internal/deferred.ts'
import type { DurableEvent } from '../kernel/events.ts'
import { memoryStorage } from '../storage/memory.ts'
import { StorageError } from '../storage/port.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { quiet } from './environment.fixtures.ts'
import { createJournal } from './journal.ts'
import { type AppendOutcome, createPuppetStorage } from './puppet-storage.fixtures.ts'
import { fullPauseMs } from './retry-when-full.ts'

const event = (seq: number, message = `event ${seq}`): DurableEvent => ({
  v: 1,
  seq,
  ts: 0,
  sessionId: 'session_1',
  runId: null,
  turn: 0,
  type: 'warning',
  code: 'test',
  message,
})

function journalOver(storage = createPuppetStorage()) {
  const failures: StorageError[] = []
  const space: boolean[] = []
  const clock = fakeClock()
  const journal = createJournal({
    storage: inTime(storage, clock),
    sessionId: 'session_1',
    position: { head: 0, epoch: 0 },
    clock,
    isStrict: ({ type }) => type === 'tool_dispatched',
    onFull: (isFull) => space.push(isFull),
    onFailure: (thrown) => failures.push(storageFailure(thrown)),
  })
  const settled: string[] = []
  return { journal, storage, failures, space, clock, settled }
}

test('a thousand facts and one are three appends, in order', async () => {
  const { journal, storage } = journalOver()
  for (let seq = 0; seq <= 1000; seq += 1) journal.add(event(seq))
  journal.flush()
  await journal.stored()

  expect(storage.appends.map(({ length }) => length)).toEqual([500, 500, 1])
  expect(storage.appends.flat().map(({ seq }) => seq)).toEqual(
    Array.from({ length: 1001 }, (_, seq) => seq),
  )
})

test('[I40] what a storage copies in one task is bounded, too: a few big facts are several appends', async () => {
  const { journal, storage } = journalOver()
  for (let seq = 0; seq < 10; seq += 1) journal.add(event(seq, 'a'.repeat(100_000)))
  journal.flush()
  await journal.stored()

  expect(storage.appends.map(({ length }) => length)).toEqual([2, 2, 2, 2, 2])
})

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

  expect(failures).toMatchObject([{ kind: 'unknown' }])
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

test('[D63] a batch is stored once though the answers to both of its appends are lost', async () => {
  const { journal, storage, failures, settled } = journalOver(
    createPuppetStorage((_, number) => (number < 2 ? 'lost' : 'unacknowledged')),
  )
  for (const seq of [0, 1]) journal.add(event(seq))
  journal.flush()
  void journal.stored().then(() => settled.push('stored'))
  await quiet()

  expect(settled).toEqual(['stored'])
  expect(failures).toEqual([])
  expect(storage.appends).toHaveLength(2)
  expect(await storage.log()).toEqual([event(0), event(1)])
})

test('[D63] a batch is stored once though its first append comes after the second', async () => {
  const memory = memoryStorage()
  const late = createDeferred<void>()
  let appends = 0
  const { journal, failures, clock } = journalOver({
    ...createPuppetStorage(),
    read: memory.read,
    append: async (id, position, events) => {
      appends += 1
      if (appends === 1) await late.promise
      // The second one is on its way when the first one arrives.
      if (appends === 2) {
        late.resolve()
        await quiet()
      }
      await memory.append(id, position, events)
    },
  })
  journal.add(event(0))
  journal.flush()
  await quiet()
  clock.advance(10_000)
  await journal.stored()

  expect(failures).toEqual([])
  expect(await memory.read('session_1')).toEqual([event(0)])
})

test('[D65] a batch is strict if one of its events is; the next one is not', async () => {
  const durabilities: (string | undefined)[] = []
  const memory = memoryStorage()
  const { journal } = journalOver({
    ...createPuppetStorage(),
    append: async (id, position, events) => {
      durabilities.push(position.durability)
      await memory.append(id, position, events)
    },
  })
  const dispatched: DurableEvent = {
    ...event(1),
    ...{ type: 'tool_dispatched', toolCallId: 'call_1', attempt: 1, executionId: 'exec_1' },
  }
  for (const batch of [[event(0), dispatched, event(2)], [event(3)]]) {
    for (const one of batch) journal.add(one)
    journal.flush()
    await journal.stored()
  }

  expect(durabilities).toEqual(['strict', undefined])
})

test('[D61] without space nothing is stored behind the gap, and all of it once there is space', async () => {
  let isFull = true
  const memory = memoryStorage()
  const { journal, space, failures, clock } = journalOver({
    ...createPuppetStorage(),
    read: memory.read,
    append: async (id, position, events) => {
      // As in a browser: what is smaller may still find space.
      if (isFull && events.length > 1) throw new StorageError('full', 'There is no space.')
      await memory.append(id, position, events)
    },
  })
  journal.add(event(0))
  journal.add(event(1))
  journal.flush()
  await quiet()
  journal.add(event(2))
  journal.flush()
  for (let round = 0; round < 5; round += 1) {
    clock.advance(fullPauseMs)
    await quiet()
  }
  expect(space).toEqual([true])
  expect(await memory.read('session_1')).toEqual([])

  isFull = false
  clock.advance(fullPauseMs)
  await journal.stored()

  expect(space).toEqual([true, false])
  expect(failures).toEqual([])
  expect(await memory.read('session_1')).toEqual([event(0), event(1), event(2)])
  expect(clock.pending()).toBe(0)
})

test('[D61] a journal that ends tries once more, and does not wait', async () => {
  const { journal, failures, clock } = journalOver({
    ...createPuppetStorage(),
    append: async () => {
      throw new StorageError('full', 'There is no space.')
    },
  })
  journal.add(event(0))
  journal.flush()
  await quiet()

  journal.end()
  await journal.drained()

  expect(clock.pending()).toBe(0)
  expect(failures).toEqual([])
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

  expect(failures).toMatchObject([{ kind: 'unknown' }])
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
