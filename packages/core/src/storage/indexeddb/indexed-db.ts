import { isDerived } from '../derived-bytes.ts'
import { createFollower } from '../follower.ts'
import type { Locks } from '../locks.ts'
import type { Claim, Durability, SessionStorage } from '../port.ts'
import { checkEpoch, checkPosition, checkReplaced } from '../position.ts'
import { createAppend } from './append.ts'
import { createChannel, type NoticeListener } from './channel.ts'
import { createDatabase, type Writing } from './database.ts'
import { orInMemory } from './or-in-memory.ts'
import { persistence } from './persistence.ts'
import type { Ports } from './ports.ts'
import {
  changeSession,
  changeSize,
  deleteSession,
  entriesOf,
  epochOf,
  eventsOf,
  positionOf,
  raiseEpoch,
  redact,
} from './requests.ts'
import { createSpareCopies } from './spare-copies.ts'
import { platformLocks } from './web-locks.ts'

/** How sessions are kept. */
export interface IndexedDbOptions {
  /** The name of the database. Default `'offthread'`. */
  readonly name?: string
  /**
   * What a stored event survives. Default `'relaxed'`: the end of the page and of the browser, but a power failure may
   * cost the last seconds. `'strict'`: that, too; each append then waits for the disk.
   */
  readonly durability?: Durability
  /**
   * Whether the browser is asked to keep the data even if space is short, once the user has said something. Default
   * `true`. Firefox asks the user; other browsers decide by themselves.
   */
  readonly persist?: boolean
}

/**
 * Keeps sessions in the browser's IndexedDB. What counts as stored survives a reload, a crash of the page, and the
 * end of the browser. Nothing is opened before it is used, so it may be made on a server.
 *
 * Where the browser keeps nothing for the page (it has no IndexedDB, or the user's settings forbid it), sessions are kept
 * in memory, and `getState().storage` is `'memory'`.
 *
 * @example
 * ```ts
 * const agent = createAgent({ model, storage: indexedDb(), sessionId: 'notes' })
 * ```
 */
export function indexedDb(options: IndexedDbOptions = {}): SessionStorage {
  const { name = 'offthread', durability = 'relaxed', persist = true } = options
  const database = createDatabase(name, durability)
  const ports = { database, channel: createChannel(name), copies: createSpareCopies(name) }
  const lasts = (mode: 'look' | 'ask') => persistence(persist ? mode : 'look')
  return orInMemory(
    {
      ...{ ...events(ports), ...watching(ports), ...sessions(ports, name), ...bytes(ports) },
      ...redacting(ports),
      lasts,
    },
    database.open,
  )
}

function events(ports: Ports): Pick<SessionStorage, 'read' | 'append' | 'follow'> {
  const { database, channel } = ports
  const read = async (sessionId: string, from = 0, to?: number) => {
    // A key range of nothing is an error.
    if (to !== undefined && to <= from) return []
    return database.read((transaction) => {
      const found = transaction.objectStore('events').getAll(eventsOf(sessionId, from, to))
      transaction.commit()
      return found
    })
  }

  return {
    read,
    append: createAppend(ports),
    follow: (sessionId, from, listener) => {
      const follower = createFollower((next) => read(sessionId, next), from, listener)
      const stop = channel.listen(sessionId, ({ kind }) => kind === 'appended' && follower.wake())
      return () => {
        stop()
        follower.stop()
      }
    },
  }
}

function watching({ channel }: Ports): Pick<SessionStorage, 'connect'> {
  return {
    connect: (sessionId, listener) => {
      const receive: NoticeListener = (notice) => {
        if (notice.kind === 'message') listener(notice.message)
      }
      const close = channel.listen(sessionId, receive)
      return {
        post: (message) => channel.post(sessionId, { kind: 'message', message }, receive),
        close,
      }
    },
  }
}

function sessions(
  { database, channel, copies }: Ports,
  name: string,
): Pick<SessionStorage, 'claim' | 'list' | 'describe' | 'delete'> {
  let used: Locks | null = null
  // Not before it is used: a page that may store nothing may not even look at them.
  const locks = () => (used ??= platformLocks())
  const lockOf = (sessionId: string) => `${name}:${sessionId}`
  return {
    claim: async (sessionId, mode, signal) => {
      const { ended } = database
      const ending = signal ? AbortSignal.any([signal, ended]) : ended
      const lock = await locks().acquire(lockOf(sessionId), mode, ending)
      if (!lock) return null
      const deleted = new AbortController()
      const stop = channel.listen(sessionId, ({ kind }) => kind === 'deleted' && deleted.abort())
      const release = () => {
        stop()
        lock.release()
      }
      try {
        const handedOver = copies.of(sessionId)
        const { epoch, unconfirmed } = await database.write((now) =>
          raiseEpoch(now, sessionId, handedOver),
        )
        copies.drop(sessionId)
        const confirm = () =>
          database.write((now) =>
            changeSession(now, sessionId, (known) => known.epoch === epoch && { unconfirmed: 0 }),
          )
        const keepBytes = (key: string, data: Blob) =>
          database.write(async (now) => {
            checkEpoch(await epochOf(now, sessionId), epoch)
            await now.objectStore('bytes').put(data, [sessionId, key])
          })
        const lost = AbortSignal.any([lock.lost, deleted.signal, ended])
        return { epoch, unconfirmed, confirm, keepBytes, lost, release } satisfies Claim
      } catch (error) {
        release()
        throw error
      }
    },
    list: async () => {
      const entries = await database.read(entriesOf)
      const shown = entries.map(async (entry) => ({
        ...entry,
        isOpen: await locks().isHeld(lockOf(entry.sessionId)),
      }))
      return (await Promise.all(shown)).toSorted((a, b) => b.updatedAt - a.updatedAt)
    },
    describe: (sessionId, description) =>
      database.write((now) => changeSession(now, sessionId, () => description)),
    delete: async (sessionId) => {
      await database.write((now) => deleteSession(now, sessionId))
      copies.drop(sessionId)
      channel.post(sessionId, { kind: 'deleted' })
    },
  }
}

function bytes({ database }: Ports): Pick<SessionStorage, 'writeBytes' | 'readBytes'> {
  return {
    writeBytes: (sessionId, key, data) =>
      database.write(async (transaction) => {
        const store = transaction.objectStore('bytes')
        const before = await store.get([sessionId, key])
        if (data) await store.put(data, [sessionId, key])
        else await store.delete([sessionId, key])
        const added = (data?.size ?? 0) - (before?.size ?? 0)
        await changeSize(transaction, sessionId, isDerived(key) ? 0 : added)
      }),
    readBytes: (sessionId, key) =>
      database.read((transaction) => transaction.objectStore('bytes').get([sessionId, key])),
  }
}

function redacting({ database, channel, copies }: Ports): Required<Pick<SessionStorage, 'redact'>> {
  return {
    redact: async (sessionId, position, redaction) => {
      const write = async (transaction: Writing) => {
        checkPosition(await positionOf(transaction, sessionId), position)
        checkReplaced(position, redaction.replaced)
        await redact(transaction, sessionId, redaction)
      }
      await database.write(write, 'strict')
      copies.drop(sessionId)
      channel.post(sessionId, { kind: 'appended' })
    },
  }
}
