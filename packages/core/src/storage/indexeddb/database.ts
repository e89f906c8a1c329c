import type { IDBPDatabase, IDBPTransaction } from 'idb'
import { type Durability, isKind, StorageError } from '../port.ts'
import { createConnection } from './connection.ts'
import { failureOf } from './failure-of.ts'
import { type Schema, stores } from './schema.ts'

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

/** Version 1 had no `contents`. */
const currentVersion = 2

/** Transactions over one connection. `version`: that of the stores. */
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

  /**
   * `null`: this connection starts no transaction any more, as in WebKit after its tab was in the background. Another
   * one may.
   */
  function begin<Mode extends 'readonly' | 'readwrite'>(
    ...given: Beginning<Mode>
  ): IDBPTransaction<Schema, typeof stores, Mode> | null {
    try {
      return start(...given)
    } catch {
      given[0].close()
      drop()
      return null
    }
  }

  return {
    open,
    ended,
    putOff,
    read: async (work) =>
      within(begin(await open(), 'readonly') ?? start(await open(), 'readonly'), work, drop),
    write: async (work, durability = usual) => {
      for (;;) {
        const transaction =
          begin(await open(), 'readwrite', { durability }) ??
          start(await open(), 'readwrite', { durability })
        underWay.add(transaction)
        try {
          return await within(transaction, work, drop)
        } catch (error) {
          if (isKind(error, 'full')) await dropRefused(await open()).catch(() => {})
          if (underWay.has(transaction)) throw error
        } finally {
          underWay.delete(transaction)
        }
      }
    },
    writeNow: (work) => {
      const connection = current()
      const transaction = connection && begin(connection, 'readwrite', { durability: usual })
      if (!transaction) return undefined
      // Pending writes are put off: they need tasks that the page does not get any more, and this one would wait for
      // them.
      for (const one of underWay) putOff(one)
      work(transaction)
      transaction.commit()
      return transaction.done.catch((error: unknown) => {
        throw failureOf(error)
      })
    },
  }
}

type Beginning<Mode> = [
  connection: IDBPDatabase<Schema>,
  mode: Mode,
  options?: IDBTransactionOptions,
]

function start<Mode extends 'readonly' | 'readwrite'>(
  ...[connection, mode, options]: Beginning<Mode>
): IDBPTransaction<Schema, typeof stores, Mode> {
  try {
    return connection.transaction(stores, mode, options)
  } catch (error) {
    throw failureOf(error)
  }
}

/**
 * When Chromium has no room for a Blob, it counts the Blob's bytes until another transaction is complete. Until then
 * nothing else would have room either, however small. A transaction that removes nothing is enough.
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
  // The rejection is handled here: `work` may fail first, and the caller gets one reason.
  const done = transaction.done.catch((error: unknown) => error)
  try {
    const result = await Promise.race([work(transaction), unanswered(done)])
    await transaction.done
    return result
  } catch (error) {
    // Requests that were made before the work failed must not be stored. A request fails with the abort of its
    // transaction, which has the reason.
    const reason = abandoned(transaction) ? error : ((await done) ?? error)
    if (reason instanceof StorageError) throw reason
    if (isBroken(reason)) onBroken()
    throw failureOf(reason)
  }
}

/**
 * Rejects once the transaction has ended. Then a request may be left without an answer: for a value whose bytes are
 * damaged Firefox throws, in the middle of the event that is the answer.
 */
async function unanswered(done: Promise<unknown>): Promise<never> {
  const reason = await done
  // What has an answer goes on first.
  await new Promise((resolve) => setTimeout(resolve))
  throw reason ?? new StorageError('unknown', 'The browser cannot read what it has stored here.')
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

/** Whether the connection is of no use any more. Another one may be. */
function isBroken(reason: unknown): boolean {
  return (
    reason instanceof DOMException && ['InvalidStateError', 'UnknownError'].includes(reason.name)
  )
}
