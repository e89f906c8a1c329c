import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from 'idb'
import { createDeferred } from '../../internal/deferred.ts'
import type { DurableEvent } from '../../kernel/events.ts'
import { type Durability, type SessionDescription, StorageError } from '../port.ts'
import { failureOf } from './failure-of.ts'
import type { StoredBytes } from './stored-bytes.ts'

/** The stores. Events are only added, except that a redaction replaces some. */
interface Schema extends DBSchema {
  sessions: { key: string; value: StoredSession }
  /** By session and number. */
  events: { key: [string, number]; value: DurableEvent }
  /** By session and key. Files of the first version are there themselves, and so is what can be made again. */
  bytes: { key: [string, string]; value: StoredFile | StoredBytes }
  /** The content of files, by session and digest. */
  contents: { key: [string, string]; value: StoredBytes }
  /**
   * `epoch`: the last that was given to a claim or deletion of any session, so that none comes again. Under the name
   * of a session: the number of the first event that its page handed over in its last moment, unchecked. From the number
   * of an epoch on: the marks of its fence.
   */
  counters: { key: 'epoch' | [string] | number; value: number }
}

export interface StoredSession extends SessionDescription {
  readonly epoch: number
  readonly unconfirmed: number
  /**
   * The number of its first claim, which distinguishes it from others of its name. Absent: it had that before this was
   * kept.
   */
  readonly born?: number
  /** How many bytes are kept beside its events. Equal files count once. */
  readonly bytes: number
}

/** The value of a key: the digest of a file. */
export interface StoredFile {
  readonly sha256: string
  readonly size: number
  readonly type: string
}

const stores = ['sessions', 'events', 'bytes', 'contents', 'counters'] as const

export type Reading = IDBPTransaction<Schema, typeof stores, 'readonly'>
export type Writing = IDBPTransaction<Schema, typeof stores, 'readwrite'>

export interface Database {
  /**
   * Aborted, with the reason, when it was deleted or a newer version asks for it: nothing is read or written any more.
   */
  readonly ended: AbortSignal
  /** Opens the connection, if it is not open. Rejects as `read` and `write` would. */
  readonly open: () => Promise<unknown>
  /** Reads in one transaction. `work` awaits nothing but its requests. */
  readonly read: <Result>(work: (transaction: Reading) => Promise<Result>) => Promise<Result>
  /** Writes in one transaction, whole or not at all. Resolves when it is stored. */
  readonly write: <Result>(
    work: (transaction: Writing) => Promise<Result>,
    durability?: Durability,
  ) => Promise<Result>
  /** Hands requests over before it returns. Resolves when they are stored. `undefined`: the database is not open. */
  readonly writeNow: (work: (transaction: Writing) => void) => Promise<void> | undefined
  /** Aborts a pending write, to be repeated if the page lives on. `false`: it is complete, or about to be. */
  readonly putOff: (transaction: Writing) => boolean
}

/** 1: without `contents`. */
const currentVersion = 2

/** Transactions over one connection. `version`: of the stores. */
export function createDatabase(
  name: string,
  usual: Durability,
  version: number = currentVersion,
): Database {
  const { open, current, drop, ended } = createConnection(name, version)
  const underWay = new Set<Writing>()

  function putOff(transaction: Writing): boolean {
    const isPutOff = abandoned(transaction)
    if (isPutOff) underWay.delete(transaction)
    return isPutOff
  }

  return {
    open,
    ended,
    putOff,
    read: async (work) => within((await open()).transaction(stores, 'readonly'), work, drop),
    write: async (work, durability = usual) => {
      for (;;) {
        const transaction = (await open()).transaction(stores, 'readwrite', { durability })
        underWay.add(transaction)
        try {
          return await within(transaction, work, drop)
        } catch (error) {
          if (isFull(error)) await dropRefused(await open()).catch(() => {})
          if (underWay.has(transaction)) throw error
        } finally {
          underWay.delete(transaction)
        }
      }
    },
    writeNow: (work) => {
      const transaction = current()?.transaction(stores, 'readwrite', { durability: usual })
      if (!transaction) return undefined
      // Pending writes need tasks that the page does not get any more, and this one would wait for them.
      for (const one of underWay) putOff(one)
      work(transaction)
      transaction.commit()
      return transaction.done.catch((error: unknown) => {
        throw failureOf(error)
      })
    },
  }
}

function isFull(thrown: unknown): boolean {
  return thrown instanceof StorageError && thrown.kind === 'full'
}

/**
 * Chromium counts the bytes of a Blob that it had no room for until another transaction is complete. Until then nothing else
 * would have room either, however small. One that removes nothing is enough.
 */
async function dropRefused(connection: IDBPDatabase<Schema>): Promise<void> {
  const transaction = connection.transaction('counters', 'readwrite')
  await Promise.all([transaction.store.delete(-1), transaction.done])
}

/** The outcome of the work, once it is stored. `onBroken`: the connection is of no use any more. */
async function within<Result, Mode extends 'readonly' | 'readwrite'>(
  transaction: IDBPTransaction<Schema, typeof stores, Mode>,
  work: (transaction: IDBPTransaction<Schema, typeof stores, Mode>) => Promise<Result>,
  onBroken: () => void,
): Promise<Result> {
  // Handled here: `work` may fail first, and the caller gets one reason.
  const done = transaction.done.catch((error: unknown) => error)
  try {
    const result = await work(transaction)
    await transaction.done
    return result
  } catch (error) {
    // What was requested before the work failed must not be stored. A request fails with the abort of its transaction,
    // which has the reason.
    const reason = abandoned(transaction) ? error : ((await done) ?? error)
    if (reason instanceof StorageError) throw reason
    if (isBroken(reason)) onBroken()
    throw failureOf(reason)
  }
}

/** Ends a transaction with nothing stored. `false`: it has ended before. */
function abandoned(transaction: { readonly abort: () => void }): boolean {
  try {
    transaction.abort()
    return true
  } catch {
    return false
  }
}

interface Connection {
  readonly ended: AbortSignal
  readonly open: () => Promise<IDBPDatabase<Schema>>
  /** The open database, for a page that goes away and cannot wait. */
  readonly current: () => IDBPDatabase<Schema> | null
  /** Forgets the connection: the next use opens another one. */
  readonly drop: () => void
}

/** One connection, which stays open: one that is opened while the page goes away comes too late. */
function createConnection(name: string, version: number): Connection {
  let opening: Promise<IDBPDatabase<Schema>> | null = null
  let current: IDBPDatabase<Schema> | null = null
  const ending = new AbortController()

  async function connect(): Promise<IDBPDatabase<Schema>> {
    if (typeof indexedDB === 'undefined') throw unavailable()
    const blocked = createDeferred<never>()
    const opened = openDB<Schema>(name, version, {
      upgrade: (database) => {
        for (const store of stores) {
          if (!database.objectStoreNames.contains(store)) database.createObjectStore(store)
        }
      },
      blocked: () => {
        blocked.reject(olderTab())
        // It opens when the other tab has gone, and is used then. Until then a second one would wait behind it.
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
        const failure = (await isForbidden()) ? unavailable() : failureOf(error)
        if (failure.kind !== 'blocked') drop()
        throw failure
      })
      return opening
    },
    current: () => current,
    drop,
  }
}

/** Whether the connection is of no use any more. Another one may be. */
function isBroken(reason: unknown): boolean {
  return (
    reason instanceof DOMException && ['InvalidStateError', 'UnknownError'].includes(reason.name)
  )
}

/** Whether the user's settings keep the page from storing. Chromium's IndexedDB calls that an unknown error. */
async function isForbidden(): Promise<boolean> {
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
