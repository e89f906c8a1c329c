import { type IDBPDatabase, openDB } from 'idb'
import { createDeferred } from '../../internal/deferred.ts'
import { StorageError } from '../port.ts'
import { failureOf } from './failure-of.ts'
import { type Schema, stores } from './schema.ts'

export interface Connection {
  readonly ended: AbortSignal
  readonly open: () => Promise<IDBPDatabase<Schema>>
  /** The open database, for a page that goes away and cannot wait. */
  readonly current: () => IDBPDatabase<Schema> | null
  /** Forgets the connection: the next use opens another one. */
  readonly drop: () => void
}

/** One connection, which stays open, because one that is opened while the page goes away comes too late. */
export function createConnection(name: string, version: number): Connection {
  let opening: Promise<IDBPDatabase<Schema>> | null = null
  let current: IDBPDatabase<Schema> | null = null
  const ending = new AbortController()
  let wasOpen = false

  async function connect(): Promise<IDBPDatabase<Schema>> {
    if (typeof indexedDB === 'undefined') throw unavailable()
    const blocked = createDeferred<never>()
    const opened = openDB<Schema>(name, version, {
      upgrade: (...[database, before, , transaction]) => {
        // A database that was open and is not there any more was deleted, so it is not made again.
        if (before > 0 || !wasOpen) return addStores(database)
        end(cleared())
        transaction.done.catch(() => {})
        transaction.abort()
      },
      blocked: () => {
        blocked.reject(olderTab())
        // The connection opens when the other tab has gone, and is used then. Until then a second one would wait behind
        // it.
        opened.then(use, drop)
      },
      blocking: (_, next) => {
        // Pending writes end first. An open connection would keep the newer version from starting.
        current?.close()
        end(next === null ? cleared() : newerTab())
      },
      terminated: () => {
        end(cleared())
      },
    })
    const connection = await Promise.race([opened, blocked.promise])
    current = connection
    wasOpen = true
    return connection
  }

  function use(connection: IDBPDatabase<Schema>): void {
    current = connection
    opening = Promise.resolve(connection)
  }

  function end(reason: StorageError): void {
    drop()
    ending.abort(reason)
  }

  function drop(): void {
    current = null
    opening = null
  }

  return {
    ended: ending.signal,
    open: () => {
      if (ending.signal.aborted) return Promise.reject(ending.signal.reason)
      opening ??= connect().catch(async (error: unknown) => {
        ending.signal.throwIfAborted()
        const failure = (await isForbidden(error)) ? unavailable() : failureOf(error)
        if (failure.kind !== 'blocked') drop()
        throw failure
      })
      return opening
    },
    current: () => current,
    drop,
  }
}

function addStores(database: IDBPDatabase<Schema>): void {
  for (const store of stores) {
    if (!database.objectStoreNames.contains(store)) database.createObjectStore(store)
  }
}

/**
 * Whether the user's settings keep the page from storing. Chromium's IndexedDB calls that an unknown error, and that of Firefox,
 * in a private window that stores nothing, an invalid state.
 */
async function isForbidden(opening: unknown): Promise<boolean> {
  if (opening instanceof DOMException && opening.name === 'InvalidStateError') return true
  try {
    await navigator.locks.query()
    return false
  } catch (error) {
    return error instanceof DOMException && error.name === 'SecurityError'
  }
}

function unavailable(): StorageError {
  return new StorageError(
    'unavailable',
    'This browser keeps no data for this page: IndexedDB is missing, or the settings forbid it.',
  )
}

function olderTab(): StorageError {
  return new StorageError(
    'blocked',
    'Another tab has an older version of this app open. Close or reload it, then try again.',
  )
}

function newerTab(): StorageError {
  return new StorageError(
    'newer',
    'A newer version of this app was opened in another tab. Reload this page to go on with it.',
  )
}

function cleared(): StorageError {
  return new StorageError(
    'cleared',
    'The stored data of this page was deleted while it was open. What the page shows is all that is left: copy what you need, then reload to begin again.',
  )
}
