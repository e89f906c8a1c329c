import type { Json } from '../internal/json.ts'
import type { DurableEvent } from '../kernel/events.ts'
import { isDerived } from './derived-bytes.ts'
import { createFollower, type Follower } from './follower.ts'
import { createPageLocks, type Lock } from './locks.ts'
import type {
  Claim,
  Position,
  Redaction,
  SessionDescription,
  SessionEntry,
  SessionStorage,
} from './port.ts'
import { checkEpoch, checkPosition, checkReplaced, deletedSession } from './position.ts'
import { timeOf } from './time-of.ts'

/**
 * Keeps sessions for as long as the page lives: for tests, and for several agents on the same session.
 *
 * @example
 * ```ts
 * const storage = memoryStorage()
 * const agent = createAgent({ model, storage, sessionId: 'notes' })
 * ```
 */
export function memoryStorage(): SessionStorage {
  const sessions = new Map<string, Session>()
  const locks = createPageLocks()
  let lastEpoch = 0

  function sessionOf(sessionId: string): Session {
    const session = sessions.get(sessionId) ?? createSession()
    sessions.set(sessionId, session)
    return session
  }

  const read = async (sessionId: string, from = 0, to?: number) =>
    sessions.get(sessionId)?.events.slice(from, to) ?? []

  return {
    read,
    append: async (sessionId, position, events) => {
      const session = sessionOf(sessionId)
      checkPosition({ head: session.events.length, epoch: session.epoch }, position)
      for (const event of events) session.events.push(event)
      // Followers are woken in a microtask: messages that were posted before are delivered in one, too, and so come
      // first.
      for (const { wake } of session.followers) queueMicrotask(wake)
    },
    follow: (sessionId, from, listener) => {
      const { followers } = sessionOf(sessionId)
      const follower = createFollower((next) => read(sessionId, next), from, listener)
      followers.add(follower)
      return () => {
        followers.delete(follower)
        follower.stop()
      }
    },
    connect: (sessionId, listener) => join(sessionOf(sessionId), listener),
    claim: async (sessionId, mode, signal) => {
      const { signal: deleted } = sessionOf(sessionId).deleted
      const ended = signal ? AbortSignal.any([signal, deleted]) : deleted
      const lock = await locks.acquire(sessionId, mode, ended)
      lastEpoch += 1
      return lock && claimOf(sessionOf(sessionId), lock, lastEpoch)
    },
    list: async (sessionId) => {
      const held = await locks.held()
      const wanted = sessionId === undefined ? sessions.keys() : [sessionId]
      return [...wanted]
        .flatMap((id) => entryOf(id, sessions.get(id), held))
        .toSorted((a, b) => b.updatedAt - a.updatedAt)
    },
    describe: async (sessionId, description) => {
      const session = sessions.get(sessionId)
      if (session) session.description = { ...session.description, ...description }
    },
    writeBytes: async (sessionId, key, data) => putBytes(sessionOf(sessionId), key, data),
    readBytes: async (sessionId, key) => sessions.get(sessionId)?.bytes.get(key),
    delete: async (sessionId) => {
      const session = sessions.get(sessionId)
      sessions.delete(sessionId)
      session?.deleted.abort(deletedSession())
    },
    redact: async (sessionId, position, redaction) =>
      redact(sessionOf(sessionId), position, redaction),
    lasts: async () => 'memory',
  }
}

interface Session {
  readonly events: DurableEvent[]
  readonly bytes: Map<string, Blob>
  readonly followers: Set<Follower>
  readonly members: Set<(message: Json) => void>
  readonly deleted: AbortController
  description: SessionDescription
  epoch: number
  unconfirmed: number
}

function createSession(): Session {
  return {
    ...{ events: [], bytes: new Map(), followers: new Set(), members: new Set() },
    ...{ deleted: new AbortController(), description: {}, epoch: 0, unconfirmed: 0 },
  }
}

function redact(
  session: Session,
  position: Position,
  { replaced, added, removedKeys, ...description }: Redaction,
): void {
  const { events, bytes, followers } = session
  checkPosition({ head: events.length, epoch: session.epoch }, position)
  checkReplaced(position, replaced)
  for (const event of replaced) events[event.seq] = event
  for (const event of added) events.push(event)
  const derived = [...bytes.keys()].filter(isDerived)
  for (const key of [...removedKeys, ...derived]) bytes.delete(key)
  session.description = { ...session.description, ...description }
  for (const follower of followers) follower.wake()
}

function claimOf(session: Session, { lost, release }: Lock, epoch: number): Claim {
  const { unconfirmed } = session
  session.epoch = epoch
  session.unconfirmed += 1
  return {
    epoch,
    unconfirmed,
    confirm: async () => {
      if (session.epoch === epoch) session.unconfirmed = 0
    },
    keepBytes: async (key, data) => {
      if (session.deleted.signal.aborted) throw deletedSession()
      checkEpoch(session.epoch, epoch)
      putBytes(session, key, data)
    },
    lost: AbortSignal.any([lost, session.deleted.signal]),
    release,
  }
}

function putBytes({ bytes }: Session, key: string, data: Blob | null): void {
  if (data) bytes.set(key, data)
  else bytes.delete(key)
}

function join({ members, deleted }: Session, listener: (message: Json) => void) {
  members.add(listener)
  return {
    ended: deleted.signal,
    post: (message: Json) => {
      const copy = structuredClone(message)
      for (const member of members) {
        // Delivered in a microtask, as from another page.
        if (member !== listener) queueMicrotask(() => members.has(member) && member(copy))
      }
    },
    close: () => members.delete(listener),
  }
}

function entryOf(
  sessionId: string,
  session: Session | undefined,
  held: ReadonlySet<string>,
): readonly SessionEntry[] {
  if (!session || session.events.length === 0) return []
  const { events, description } = session
  const [first, last] = [events[0], events.at(-1)]
  const kept = {
    events: events.length,
    bytes: [...session.bytes].reduce(
      (sum, [key, { size }]) => sum + (isDerived(key) ? 0 : size),
      0,
    ),
    keys: [...session.bytes.keys()],
  }
  const times = { createdAt: timeOf(first), updatedAt: timeOf(last) }
  return [{ sessionId, ...description, ...times, ...kept, isOpen: held.has(sessionId) }]
}
