import { expect, test } from 'vitest'
import type { Json } from '../../internal/json.ts'
import { memoryStorage } from '../memory.ts'
import { type SessionStorage, StorageError } from '../port.ts'
import { describeStorage, log } from '../storage.contract.ts'
import { indexedDb } from './indexed-db.ts'
import { orInMemory } from './or-in-memory.ts'

// Node has no IndexedDB.
describeStorage('indexedDb where there is none', () => indexedDb())

/** A storage that refuses everything. */
const refuse = async () => {
  throw new StorageError('unknown', 'It was used.')
}
const unusable: SessionStorage = { ...memoryStorage(), read: refuse, append: refuse }

test('[D64] what the browser forbids is kept in memory, and that is said', async () => {
  const storage = indexedDb()

  await storage.append('s', { head: 0, epoch: 0 }, log(2))

  expect(await storage.lasts?.('look')).toBe('memory')
  expect(await storage.lasts?.('ask')).toBe('memory')
  expect(await storage.read('s')).toEqual(log(2))
})

test('[D64] the choice is made once: later nothing is divided between two storages', async () => {
  let isForbidden = true
  const storage = orInMemory(unusable, async () => {
    if (isForbidden) throw new StorageError('unavailable', 'There is none.')
  })
  await Promise.all([
    storage.append('a', { head: 0, epoch: 0 }, log(1)),
    storage.append('b', { head: 0, epoch: 0 }, log(2)),
  ])
  isForbidden = false

  await storage.append('a', { head: 1, epoch: 0 }, log(2).slice(1))

  expect(await storage.read('a')).toEqual(log(2))
  expect(await storage.read('b')).toEqual(log(2))
})

test('[D64] a database that cannot be opened for another reason is not replaced', async () => {
  let kind: StorageError['kind'] | null = 'blocked'
  const memory = memoryStorage()
  const first: SessionStorage = {
    ...memory,
    read: async (...asked) => {
      if (kind) throw new StorageError(kind, 'It was refused.')
      return memory.read(...asked)
    },
  }
  const storage = orInMemory(first, async () => {
    if (kind) throw new StorageError(kind, 'It was refused.')
  })
  await memory.append('s', { head: 0, epoch: 0 }, log(1))
  await expect(storage.read('s')).rejects.toMatchObject({ kind: 'blocked' })

  kind = null

  expect(await storage.read('s')).toEqual(log(1))
})

test('what is posted before the choice arrives, in order, and what was left before it does not', async () => {
  const storage = indexedDb()
  const [seen, left]: [Json[], Json[]] = [[], []]
  const listener = storage.connect('s', (message) => seen.push(message))
  storage.connect('s', (message) => left.push(message)).close()
  const stop = storage.follow('s', 0, () => left.push('followed'))
  stop()
  const sender = storage.connect('s', () => {})

  sender.post('one')
  sender.post('two')
  await storage.append('s', { head: 0, epoch: 0 }, log(1))
  sender.post('three')

  await expect.poll(() => seen).toEqual(['one', 'two', 'three'])
  expect(left).toEqual([])
  listener.close()
  sender.close()
})
