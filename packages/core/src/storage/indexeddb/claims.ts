import type { Lock, Locks } from '../locks.ts'
import type { Claim, SessionStorage } from '../port.ts'
import { checkEpoch } from '../position.ts'
import { createConnect } from './connect.ts'
import type { Database, Reading, Writing } from './database.ts'
import type { Ports } from './ports.ts'
import { changeSession, epochOf, type Joined, raiseEpoch, storeHandedOver } from './requests.ts'
import { platformLocks } from './web-locks.ts'

/** Who owns which session: by a lock, and by the number of the claim. */
interface Claims extends Pick<SessionStorage, 'claim'> {
  /** Finds out which sessions have an owner now. */
  readonly open: () => Promise<(sessionId: string) => boolean>
  /** Stores what pages handed over as they went, of sessions without an owner: only of this name, if it is given. */
  readonly storeLeft: (sessionId?: string) => Promise<void>
}

/** `scope`: the prefix for names of this database, from `scopeOf`. */
export function createClaims(ports: Ports, scope: string): Claims {
  const connect = createConnect(ports)
  let used: Locks | null = null
  // The locks are looked at only when they are used: a page that may not store anything may not even look at them.
  const locks = () => (used ??= platformLocks())
  const lockOf = (sessionId: string) => `${scope}:${sessionId}`

  async function storeOne(sessionId: string): Promise<void> {
    const lock = await locks().acquire(lockOf(sessionId), 'if-free')
    try {
      if (lock) await storeCopy(ports, sessionId)
    } finally {
      lock?.release()
    }
  }

  return {
    open: async () => {
      const held = await locks().held()
      return (sessionId) => held.has(lockOf(sessionId))
    },
    storeLeft: async (only) => {
      for (const sessionId of ports.copies.sessionIds()) {
        // What fails is tried again by the next list, and keeps no other session from this one.
        if (only === undefined || only === sessionId) await storeOne(sessionId).catch(() => {})
      }
    },
    claim: async (sessionId, mode, signal) => {
      const { ended, joined, close } = connect(sessionId, () => {})
      let lock: Lock | null = null
      const kept = watchKept(() => lock?.release())
      const release = () => {
        kept.stop()
        close()
        lock?.release()
      }
      try {
        const ending = signal ? AbortSignal.any([ended, signal]) : ended
        lock = await locks().acquire(lockOf(sessionId), mode, ending)
        if (lock) {
          const lost = AbortSignal.any([lock.lost, kept.lost, ended])
          return await countClaim(ports, sessionId, { lost, release, joined: await joined })
        }
      } catch (error) {
        release()
        throw error
      }
      release()
      return null
    },
  }
}

/**
 * A page that the browser keeps, for its user to go back to it, runs nothing, and would hold its lock for as long. Its claim
 * is lost when it comes back: it has to read the session again.
 */
function watchKept(release: () => void): { readonly lost: AbortSignal; readonly stop: () => void } {
  const lost = new AbortController()
  if (typeof addEventListener === 'undefined') return { lost: lost.signal, stop: () => {} }
  const onHide = ({ persisted }: PageTransitionEvent) => persisted && release()
  const onShow = ({ persisted }: PageTransitionEvent) => persisted && lost.abort()
  addEventListener('pagehide', onHide)
  addEventListener('pageshow', onShow)
  return {
    lost: lost.signal,
    stop: () => {
      removeEventListener('pagehide', onHide)
      removeEventListener('pageshow', onShow)
    },
  }
}

/** Makes a claim of a lock that is held. */
async function countClaim(
  { database, bytes, channel, copies, leavings }: Ports,
  sessionId: string,
  { lost, release, joined }: Pick<Claim, 'lost' | 'release'> & { readonly joined: Joined },
): Promise<Claim> {
  const handedOver = copies.of(sessionId)
  const hasLeft = leavings.has(sessionId)
  const stopWatching = leavings.watch(sessionId)
  const raised = writeBeside(database, sessionId, (now) =>
    raiseEpoch(now, sessionId, { handedOver, hasLeft, joined }),
  )
  const { epoch, unconfirmed, born } = await raised.catch((error: unknown) => {
    stopWatching()
    throw error
  })
  copies.drop(sessionId)
  leavings.forget(sessionId)
  channel.post(sessionId, { kind: 'claimed', born })
  return {
    ...{ epoch, unconfirmed, lost },
    confirm: async () => {
      await database.write((now) =>
        changeSession(now, sessionId, (known) => known.epoch === epoch && { unconfirmed: 0 }),
      )
      stopWatching()
    },
    keepBytes: (key, data) =>
      bytes.write(sessionId, { key, data }, async (now) =>
        checkEpoch(await epochOf(now, sessionId), epoch),
      ),
    release: () => {
      stopWatching()
      release()
    },
  }
}

/** Changes what is kept beside the events of a session, also where some of it cannot be read. */
export async function writeBeside<Result>(
  database: Database,
  sessionId: string,
  work: (now: Writing) => Promise<Result>,
): Promise<Result> {
  try {
    return await database.write(work)
  } catch (error) {
    if (await removeUnreadable(database, sessionId)) return database.write(work)
    throw error
  }
}

/**
 * Removes what is kept beside the events of a session where the browser cannot read it, but can read the rest: a session
 * opens without. Returns whether there was any.
 */
async function removeUnreadable(database: Database, sessionId: string): Promise<boolean> {
  const counter = (key: 'epoch' | [string]) => ({
    read: (now: Reading): Promise<unknown> => now.objectStore('counters').get(key),
    remove: (now: Writing) => now.objectStore('counters').delete(key),
  })
  const session = {
    read: (now: Reading): Promise<unknown> => now.objectStore('sessions').get(sessionId),
    remove: (now: Writing) => now.objectStore('sessions').delete(sessionId),
  }
  const all = [session, counter('epoch'), counter([sessionId])]
  const unreadable: typeof all = []
  for (const one of all) await database.read(one.read).catch(() => unreadable.push(one))
  if (unreadable.length === 0 || unreadable.length === all.length) return false
  await database.write(async (now) => {
    for (const one of unreadable) await one.remove(now)
  })
  return true
}

/** Stores what a page handed over, under a lock that is held. */
async function storeCopy({ database, channel, copies }: Ports, sessionId: string): Promise<void> {
  const handedOver = copies.of(sessionId)
  if (!handedOver) return
  await database.write((now) => storeHandedOver(now, sessionId, handedOver))
  copies.drop(sessionId)
  channel.post(sessionId, { kind: 'appended' })
}
