import type { SessionEntry, SessionStorage } from '@offthread/core/storage'
import { headAt } from './compare.ts'
import { openCopy } from './copy.ts'
import { entryIn, isUnavailable, knownOf, type Mark, markKey, ownKeys, readMark } from './mark.ts'

interface Both {
  readonly remote: SessionStorage
  readonly local: SessionStorage
}

/**
 * Reads from the server. While it is away, reads the events here that it is known to have; the owner, who is offline,
 * reads all that are here.
 */
export function createOfflineRead(
  { remote, local }: Both,
  isOffline: (sessionId: string) => boolean,
): SessionStorage['read'] {
  /** Whether a session is only here, as lists show it. */
  async function isWaiting(sessionId: string): Promise<boolean> {
    const entry = entryIn(await local.list(sessionId).catch(() => []), sessionId)
    if (!entry || knownOf(await markOf(local, sessionId), entry.events) >= entry.events)
      return false
    return (await headAt(remote, sessionId)) === 0
  }

  return async (sessionId, from, to = Number.POSITIVE_INFINITY) => {
    if (isOffline(sessionId)) return local.read(sessionId, from, to)
    try {
      const events = await remote.read(sessionId, from, to)
      const isMissing = events.length === 0 && (await isWaiting(sessionId))
      return isMissing ? local.read(sessionId, from, to) : events
    } catch (error) {
      const entry = isUnavailable(error) && entryIn(await local.list(sessionId), sessionId)
      if (!entry) throw error
      const known = knownOf(await markOf(local, sessionId), entry.events)
      if (entry.events < known) throw error
      return local.read(sessionId, from, Math.min(to, known))
    }
  }
}

/** The sessions of the server, and those that wait for it on this device. */
export function createOfflineList(
  { remote, local }: Both,
  isAway: () => boolean,
): SessionStorage['list'] {
  async function waiting(
    ours: readonly SessionEntry[],
    there: ReadonlySet<string>,
  ): Promise<readonly SessionEntry[]> {
    const found: SessionEntry[] = []
    for (const entry of ours) {
      const { sessionId, events, isOpen } = entry
      if (there.has(sessionId)) continue
      const mark = await markOf(local, sessionId)
      if (knownOf(mark, events) < events) found.push(shown(entry))
      // This is a copy of a session that was deleted elsewhere.
      else if (!isOpen) await dropOld(local, sessionId).catch(() => {})
    }
    return found
  }

  return async (sessionId) => {
    // Read before the server's list: a session that is sent in between is then in both, and not in neither.
    const ours = await local.list(sessionId).catch(() => [])
    if (isAway()) return ours.map(shown)
    try {
      const theirs = await remote.list(sessionId)
      const more = await waiting(ours, new Set(theirs.map((entry) => entry.sessionId)))
      if (more.length === 0) return theirs
      return [...theirs, ...more].toSorted((a, b) => b.updatedAt - a.updatedAt)
    } catch (error) {
      if (!isUnavailable(error)) throw error
      return ours.map(shown)
    }
  }
}

/** Removes a copy in which nothing waits. This is checked once more, because the copy may have been opened since. */
async function dropOld(local: SessionStorage, sessionId: string): Promise<void> {
  const copy = await openCopy(local, sessionId, 'if-free')
  if (!copy) return
  const isOld = copy.known() >= copy.head() && (await copy.unsent()).length === 0
  try {
    if (isOld) await copy.drop()
  } finally {
    copy.release()
  }
}

async function markOf(local: SessionStorage, sessionId: string): Promise<Mark | null> {
  return readMark(await local.readBytes(sessionId, markKey))
}

function shown(entry: SessionEntry): SessionEntry {
  return { ...entry, keys: ownKeys(entry.keys) }
}
