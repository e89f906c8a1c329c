import { expect, onTestFinished, test, vi } from 'vitest'
import { createDeferred } from '../../internal/deferred.ts'
import type { DurableEvent } from '../../kernel/events.ts'
import { createDatabase } from './database.ts'
import { indexedDb } from './indexed-db.ts'

declare global {
  interface Navigator {
    /** In Chromium: storage with a quota of its own. */
    readonly storageBuckets: {
      readonly open: (
        name: string,
        options: { quota: number },
      ) => Promise<WindowOrWorkerGlobalScope>
    }
  }
}

const warning: DurableEvent = {
  ...{ v: 1, seq: 0, ts: 0, sessionId: 's', runId: null, turn: 0 },
  ...{ type: 'warning', code: 'test', message: 'Something.' },
}

/** A storage that has written to its database, and the name of that. */
async function opened() {
  const name = crypto.randomUUID()
  const storage = indexedDb({ name })
  await storage.append('s', { head: 0, epoch: 0 }, [warning])
  return { name, storage }
}

test('[D11] a newer version in another tab is not held up, and is named here', async () => {
  const { name, storage } = await opened()

  const newer = await outcome(indexedDB.open(name, 3))

  await expect(storage.read('s')).rejects.toMatchObject({ name: 'StorageError', kind: 'newer' })
  newer.close()
})

test('[D11] a database of a newer version is refused, and stays as it is', async () => {
  const name = crypto.randomUUID()
  const newer = await outcome(indexedDB.open(name, 3))
  newer.close()

  await expect(indexedDb({ name }).read('s')).rejects.toMatchObject({ kind: 'newer' })
  const again = await outcome(indexedDB.open(name))
  expect(again.version).toBe(3)
  again.close()
})

test('[D11] a database that is deleted under an open session is named, and not made again', async () => {
  const { name, storage } = await opened()

  await outcome(indexedDB.deleteDatabase(name))

  const late = storage.append('s', { head: 1, epoch: 0 }, [{ ...warning, seq: 1 }])
  await expect(late).rejects.toMatchObject({ kind: 'cleared' })
  expect((await indexedDB.databases()).map((one) => one.name)).not.toContain(name)
})

/** A connection of an older version of the app, to a database that a newer one is to change. */
async function older(onVersionChange: (connection: IDBDatabase) => void) {
  const name = crypto.randomUUID()
  const connection = await outcome(indexedDB.open(name, 1))
  connection.addEventListener('versionchange', () => onVersionChange(connection))
  return { name, connection }
}

test('[D67] an older version in another tab that makes way is waited for', async () => {
  const { name } = await older((connection) => connection.close())

  await createDatabase(name, 'relaxed', 2).open()

  expect((await indexedDB.databases()).find((one) => one.name === name)?.version).toBe(2)
})

test('[D67] an older version in another tab that does not is named, and is not in the way once it is gone', async () => {
  const { name, connection } = await older(() => {})
  const database = createDatabase(name, 'relaxed', 2)

  await expect(database.open()).rejects.toMatchObject({ name: 'StorageError', kind: 'blocked' })
  await expect(database.open()).rejects.toMatchObject({ kind: 'blocked' })

  connection.close()
  await expect.poll(() => database.open().then(Boolean, () => false)).toBe(true)
  // The connection that opened late makes way for the next version.
  await createDatabase(name, 'relaxed', 3).open()
})

test('[D64] in a private window of Firefox that stores nothing, sessions are kept in memory', async () => {
  const message = 'A mutation operation was attempted on a database that did not allow mutations.'
  const refused = new DOMException(message, 'InvalidStateError')
  vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw refused
  })
  onTestFinished(() => void vi.restoreAllMocks())

  const { storage } = await opened()

  expect(await storage.lasts?.('look')).toBe('memory')
  expect(await storage.read('s')).toEqual([warning])
})

test('[D65] what is written strictly is written so', async () => {
  const begun = vi.spyOn(IDBDatabase.prototype, 'transaction')
  onTestFinished(() => void begun.mockRestore())
  const { storage } = await opened()

  await storage.append('s', { head: 1, epoch: 0, durability: 'strict' }, [{ ...warning, seq: 1 }])

  expect(begun.mock.calls.map(([, mode, options]) => [mode, options?.durability])).toEqual([
    ['readwrite', 'relaxed'],
    ['readwrite', 'strict'],
  ])
})

test('[D11] what the quota has no room for is refused, and what is stored can be read', async () => {
  const bucket = await navigator.storageBuckets.open(crypto.randomUUID(), { quota: 1_000_000 })
  vi.stubGlobal('indexedDB', bucket.indexedDB)
  onTestFinished(() => void vi.unstubAllGlobals())
  const { storage } = await opened()

  const large = new Blob([new Uint8Array(3_000_000)])

  await expect(storage.writeBytes('s', 'large', large)).rejects.toMatchObject({ kind: 'full' })
  expect(await storage.read('s')).toEqual([warning])
  expect(await storage.readBytes('s', 'large')).toBeUndefined()
  expect(await storage.list()).toMatchObject([{ bytes: 0 }])
})

test('[D61] a file that the quota has no room for leaves the room that there was to what is stored next', async () => {
  const bucket = await navigator.storageBuckets.open(crypto.randomUUID(), { quota: 2_000_000 })
  vi.stubGlobal('indexedDB', bucket.indexedDB)
  onTestFinished(() => void vi.unstubAllGlobals())
  const { storage } = await opened()

  for (let seq = 1; seq <= 5; seq += 1) {
    const large = new File(Array.from({ length: 60 }, noise), 'noise.csv')
    await expect(storage.writeBytes('s', 'large', large)).rejects.toMatchObject({ kind: 'full' })
    await storage.append('s', { head: seq, epoch: 0 }, [{ ...warning, seq }])
  }
  expect(await storage.read('s')).toHaveLength(6)
})

const noise = () => crypto.getRandomValues(new Uint8Array(40_000))

function outcome<Result>(request: IDBRequest<Result>): Promise<Result> {
  const { promise, resolve, reject } = createDeferred<Result>()
  request.addEventListener('success', () => resolve(request.result))
  request.addEventListener('error', () => reject(new Error(request.error?.message)))
  return promise
}
