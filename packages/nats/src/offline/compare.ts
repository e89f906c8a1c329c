import { isSameEvent, type SessionStorage } from '@offthread/core/storage'
import type { Copy } from './copy.ts'
import { entryIn } from './mark.ts'

/** How the log at the server differs from the copy on this device. */
export interface Comparison {
  /** The server has other events in the same places, or lacks some that it is known to have had. */
  readonly isApart: boolean
  /** The server has no event at all. */
  readonly isGone: boolean
  /** How many events both have. */
  readonly shared: number
  /** The server has events behind all those of the copy. */
  readonly hasMore: boolean
}

/** Compares the logs from the last event on that the server is known to have. */
export async function compare(
  remote: SessionStorage,
  sessionId: string,
  copy: Pick<Copy, 'read' | 'head' | 'mark'>,
): Promise<Comparison> {
  const end = copy.head()
  const known = await knownBy(remote, sessionId, copy)
  const from = Math.max(0, known - 1)
  const [theirs, ours] = await Promise.all([
    remote.read(sessionId, from, end + 1),
    copy.read(from, end),
  ])
  const length = Math.min(theirs.length, ours.length)
  const other = theirs.slice(0, length).findIndex((event, at) => !isSameEvent(event, ours[at]))
  return {
    isApart: other >= 0 || from + theirs.length < known,
    isGone: theirs.length === 0 && known > 0,
    shared: from + (other < 0 ? length : other),
    hasMore: from + theirs.length > end,
  }
}

/** How many events the server is known to have. */
async function knownBy(
  remote: SessionStorage,
  sessionId: string,
  copy: Pick<Copy, 'head' | 'mark'>,
): Promise<number> {
  const mark = copy.mark()
  if (!mark || mark.known !== null) return Math.min(mark?.known ?? 0, copy.head())
  // The last events of a page may be in the copy without a mark. But if the session is not at the server any more,
  // nothing waits.
  const there = await headAt(remote, sessionId)
  return there > 0 ? Math.min(there, copy.head()) : copy.head()
}

/** How many events a storage has of a session. */
export async function headAt({ list }: SessionStorage, sessionId: string): Promise<number> {
  return entryIn(await list(sessionId), sessionId)?.events ?? 0
}
