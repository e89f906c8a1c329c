import { createFollower } from '../follower.ts'
import type { Durability, Lasting, SessionStorage } from '../port.ts'
import { checkPosition, checkReplaced } from '../position.ts'
import { createAppend } from './append.ts'
import { createBytes } from './bytes.ts'
import { createChannel } from './channel.ts'
import { createClaims, writeBeside } from './claims.ts'
import { createConnect } from './connect.ts'
import { createDatabase, type Writing } from './database.ts'
import { readEntries } from './entries.ts'
import { createLeavings } from './leavings.ts'
import { writeFiles } from './lost-files.ts'
import { orInMemory } from './or-in-memory.ts'
import type { Ports } from './ports.ts'
import { changeSession, deleteSession, positionOf, redact } from './requests.ts'
import { eventsOf } from './schema.ts'
import { createSpareCopies } from './spare-copies.ts'

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
  const scope = scopeOf(name)
  const ports = {
    ...{ database, bytes: createBytes(database), channel: createChannel(name) },
    ...{ copies: createSpareCopies(scope), leavings: createLeavings(scope) },
  }
  const lasts = (mode: 'look' | 'ask') => persistence(persist ? mode : 'look')
  return orInMemory(
    {
      ...{ ...events(ports), ...sessions(ports, scope), ...redacting(ports) },
      writeBytes: (sessionId, key, data) => ports.bytes.write(sessionId, { key, data }),
      readBytes: ports.bytes.read,
      ...{ connect: createConnect(ports), lasts },
    },
    database.open,
  )
}

function events(ports: Ports): Pick<SessionStorage, 'read' | 'append' | 'follow'> {
  const { database, channel } = ports
  const read = async (sessionId: string, from = 0, to?: number) => {
    // IndexedDB throws for an empty key range.
    if (to !== undefined && to <= from) return []
    return database.read((transaction) => {
      const found = transaction.objectStore('events').getAll(eventsOf(sessionId, from, to))
      transaction.commit()
      return found
    })
  }

  return {
    read,
    append: ports.bytes.appendAfter(createAppend(ports)),
    follow: (sessionId, from, listener) => {
      const follower = createFollower((next) => read(sessionId, next), from, listener)
      const stop = channel.listen(sessionId, ({ kind }) => {
        if (kind === 'appended' || kind === 'missed') follower.wake()
      })
      return () => {
        stop()
        follower.stop()
      }
    },
  }
}

function sessions(
  ports: Ports,
  scope: string,
): Pick<SessionStorage, 'claim' | 'list' | 'describe' | 'delete'> {
  const { database, channel, copies, leavings } = ports
  const { claim, open, storeLeft } = createClaims(ports, scope)
  return {
    claim,
    list: async (sessionId) => {
      await storeLeft(sessionId)
      const entries = await readEntries(database, sessionId)
      const isOpen = await open()
      return entries
        .map((entry) => ({ ...entry, isOpen: isOpen(entry.sessionId) }))
        .toSorted((a, b) => b.updatedAt - a.updatedAt)
    },
    describe: (sessionId, description) =>
      database.write((now) => changeSession(now, sessionId, () => description)),
    delete: async (sessionId) => {
      const epoch = await writeBeside(database, sessionId, (now) => deleteSession(now, sessionId))
      copies.drop(sessionId)
      leavings.forget(sessionId)
      channel.post(sessionId, { kind: 'deleted', epoch })
    },
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
      await writeFiles({ database, sessionId, durability: 'strict' }, write)
      copies.drop(sessionId)
      channel.post(sessionId, { kind: 'appended' })
    },
  }
}

/** Whether the browser keeps what the origin stores even if space is short. `'ask'`: asks it to, which may ask the user. */
async function persistence(mode: 'look' | 'ask'): Promise<Lasting> {
  // Only a page that came by https has this API.
  if (!('navigator' in globalThis && 'storage' in navigator)) return 'best-effort'
  const { storage } = navigator
  const isPersistent = mode === 'ask' ? await storage.persist() : await storage.persisted()
  return isPersistent ? 'persistent' : 'best-effort'
}

/**
 * The prefix of the names of locks and keys of a database, so that the sessions of two databases never share a name.
 */
function scopeOf(name: string): string {
  // The name of a lock may not begin with a hyphen.
  return name.replaceAll(/[%:]|^-/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
}
