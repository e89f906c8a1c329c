import { createFollower } from '../follower.ts'
import type { Lock } from '../locks.ts'
import type { Claim, Durability, SessionEntry, SessionStorage } from '../port.ts'
import { checkPosition } from '../position.ts'
import type { NoticeListener } from './channel.ts'
import { createChannel } from './channel.ts'
import type { Reading, StoredSession, Writing } from './database.ts'
import { createDatabase } from './database.ts'
import { platformLocks } from './web-locks.ts'

export interface IndexedDbOptions {
  /** The name of the database. Default `'offthread'`. */
  readonly name?: string
  /**
   * What a stored event survives. Default `'relaxed'`: the end of the page and of the browser, but a power failure may
   * cost the last seconds. `'strict'`: that, too; each append then waits for the disk.
   */
  readonly durability?: Durability
}

/**
 * Keeps sessions in the browser's IndexedDB. What counts as stored survives a reload, a crash of the page, and the
 * end of the browser. Nothing is opened before it is used, so it may be made on a server.
 *
 * @example
 * ```ts
 * const agent = createAgent({ model, storage: indexedDb(), sessionId: 'notes' })
 * ```
 */
export function indexedDb(options: IndexedDbOptions = {}): SessionStorage {
  const { name = 'offthread', durability = 'relaxed' } = options
  const { read, write, writeNow } = createDatabase(name, durability)
  const { post, listen } = createChannel(name)
  const locks = platformLocks()
  const lockOf = (sessionId: string) => `${name}:${sessionId}`

  async function claimOf(sessionId: string, lock: Lock): Promise<Claim> {
    const { epoch, unconfirmed } = await write((transaction) => raiseEpoch(transaction, sessionId))
    const deleted = new AbortController()
    const stop = listen(sessionId, ({ kind }) => kind === 'deleted' && deleted.abort())
    return {
      epoch,
      unconfirmed,
      confirm: () => change(sessionId, (known) => known.epoch === epoch && { unconfirmed: 0 }),
      lost: AbortSignal.any([lock.lost, deleted.signal]),
      release: () => {
        stop()
        lock.release()
      },
    }
  }

  function change(
    sessionId: string,
    by: (known: StoredSession) => Partial<StoredSession> | false,
  ): Promise<void> {
    return write(async (transaction) => {
      const sessions = transaction.objectStore('sessions')
      const known = await sessions.get(sessionId)
      const changes = known ? by(known) : false
      if (known && changes) await sessions.put({ ...known, ...changes }, sessionId)
    })
  }

  const readFrom = (sessionId: string, from = 0) =>
    read((transaction) => transaction.objectStore('events').getAll(eventsOf(sessionId, from)))

  return {
    read: readFrom,
    append: async (sessionId, position, events, how = {}) => {
      const add = (transaction: Writing) => {
        const store = transaction.objectStore('events')
        return events.map((event, index) => store.add(event, [sessionId, position.head + index]))
      }
      // Without a look at the position, which takes a turn that a page at its end does not have. A writer that was
      // replaced finds its numbers taken, and nothing of it is stored.
      if (how.isLast && writeNow((now) => settle(add(now)))) return
      await write(async (transaction) => {
        checkPosition(await positionOf(transaction, sessionId), position)
        await Promise.all(add(transaction))
      }, how.durability)
      post(sessionId, { kind: 'appended' })
    },
    follow: (sessionId, from, listener) => {
      const follower = createFollower((next) => readFrom(sessionId, next), from, listener)
      const stop = listen(sessionId, ({ kind }) => kind === 'appended' && follower.wake())
      return () => {
        stop()
        follower.stop()
      }
    },
    connect: (sessionId, listener) => {
      const receive: NoticeListener = (notice) => {
        if (notice.kind === 'message') listener(notice.message)
      }
      const close = listen(sessionId, receive)
      return {
        post: (message) => post(sessionId, { kind: 'message', message }, receive),
        close,
      }
    },
    claim: async (sessionId, mode, signal) => {
      const lock = await locks.acquire(lockOf(sessionId), mode, signal)
      if (!lock) return null
      try {
        return await claimOf(sessionId, lock)
      } catch (error) {
        lock.release()
        throw error
      }
    },
    list: async () => {
      const entries = await read(async (transaction) => {
        const ids = await transaction.objectStore('sessions').getAllKeys()
        return await Promise.all(ids.map((sessionId) => entryOf(transaction, sessionId)))
      })
      const open = await Promise.all(
        entries.flat().map(async (entry) => ({
          ...entry,
          isOpen: await locks.isHeld(lockOf(entry.sessionId)),
        })),
      )
      return open.toSorted((a, b) => b.updatedAt - a.updatedAt)
    },
    describe: (sessionId, description) => change(sessionId, () => description),
    writeBytes: (sessionId, key, data) =>
      write(async (transaction) => {
        const [bytes, sessions] = [
          transaction.objectStore('bytes'),
          transaction.objectStore('sessions'),
        ]
        const before = await bytes.get([sessionId, key])
        if (data) await bytes.put(data, [sessionId, key])
        else await bytes.delete([sessionId, key])
        const known = (await sessions.get(sessionId)) ?? newSession
        const size = known.bytes + (data?.size ?? 0) - (before?.size ?? 0)
        await sessions.put({ ...known, bytes: size }, sessionId)
      }),
    readBytes: (sessionId, key) =>
      read((transaction) => transaction.objectStore('bytes').get([sessionId, key])),
    delete: async (sessionId) => {
      await write(async (transaction) => {
        await transaction.objectStore('sessions').delete(sessionId)
        await transaction.objectStore('events').delete(eventsOf(sessionId))
        await transaction
          .objectStore('bytes')
          .delete(IDBKeyRange.bound([sessionId], [sessionId, []]))
      })
      post(sessionId, { kind: 'deleted' })
    },
  }
}

const newSession: StoredSession = { epoch: 0, unconfirmed: 0, bytes: 0 }

/** Keys in IndexedDB are ordered: numbers, texts, lists. */
function eventsOf(sessionId: string, from = 0): IDBKeyRange {
  return IDBKeyRange.bound([sessionId, from], [sessionId, []])
}

async function raiseEpoch(transaction: Writing, sessionId: string): Promise<StoredSession> {
  const [sessions, counters] = [
    transaction.objectStore('sessions'),
    transaction.objectStore('counters'),
  ]
  const known = (await sessions.get(sessionId)) ?? newSession
  const epoch = ((await counters.get('epoch')) ?? 0) + 1
  await counters.put(epoch, 'epoch')
  await sessions.put({ ...known, epoch, unconfirmed: known.unconfirmed + 1 }, sessionId)
  return { ...known, epoch }
}

async function positionOf(transaction: Writing, sessionId: string) {
  const sessions = transaction.objectStore('sessions')
  const [session, last] = await Promise.all([
    sessions.get(sessionId),
    transaction.objectStore('events').openKeyCursor(eventsOf(sessionId), 'prev'),
  ])
  if (!session) await sessions.put(newSession, sessionId)
  return { epoch: session?.epoch ?? 0, head: last ? last.primaryKey[1] + 1 : 0 }
}

async function entryOf(
  transaction: Reading,
  sessionId: string,
): Promise<readonly Omit<SessionEntry, 'isOpen'>[]> {
  const events = transaction.objectStore('events')
  const [session, first, last] = await Promise.all([
    transaction.objectStore('sessions').get(sessionId),
    events.get([sessionId, 0]),
    events.openCursor(eventsOf(sessionId), 'prev'),
  ])
  if (!session || !first || !last) return []
  const { epoch: _, unconfirmed: __, ...shown } = session
  const times = { createdAt: first.ts, updatedAt: last.value.ts }
  return [{ sessionId, ...shown, ...times, events: last.primaryKey[1] + 1 }]
}

/** For promises whose outcome nothing waits for. */
function settle(promises: readonly Promise<unknown>[]): void {
  for (const promise of promises) promise.catch(() => {})
}
