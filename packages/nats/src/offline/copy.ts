import type { DurableEvent } from '@offthread/core'
import {
  type AppendPosition,
  type Claim,
  conflictAt,
  isDerived,
  type Redaction,
  type SessionStorage,
} from '@offthread/core/storage'
import {
  entryIn,
  knownOf,
  lastMarkKey,
  type Mark,
  markKey,
  ownKeys,
  readMark,
  toBlob,
  unsentIn,
  unsentKey,
} from './mark.ts'

/** The copy of a session on this device, which is written under a claim of its own. */
export interface Copy {
  /** Aborted when another tab writes the copy. */
  readonly lost: AbortSignal
  readonly epoch: number
  readonly unconfirmed: number
  readonly confirm: () => Promise<void>
  readonly release: () => void
  /** How many events the copy has. */
  readonly head: () => number
  readonly mark: () => Mark | null
  readonly setMark: (mark: Mark) => Promise<void>
  /** From now on, events that are appended wait for the server. */
  readonly markWaiting: () => Promise<void>
  /** How many events the server is known to have. */
  readonly known: () => number
  readonly read: (from: number, to?: number) => Promise<readonly DurableEvent[]>
  readonly append: (
    position: Omit<AppendPosition, 'epoch'>,
    events: readonly DurableEvent[],
  ) => Promise<void>
  /** Adds the last events of a page, which cannot wait for anything. `known`: how many events the server has. */
  readonly handOver: (head: number, events: readonly DurableEvent[], known: number) => Promise<void>
  readonly redact: (head: number, redaction: Redaction) => Promise<void>
  /** Keeps a file that the server has, too. */
  readonly cache: (key: string, data: Blob | null) => Promise<void>
  /** Keeps a file that the server does not have. */
  readonly keepFile: (key: string, data: Blob | null) => Promise<void>
  readonly readFile: (key: string) => Promise<Blob | undefined>
  readonly fileSent: (key: string) => Promise<void>
  /** Forgets a file that could not be kept. */
  readonly dropFile: (key: string) => Promise<void>
  /** The files that the server does not have. */
  readonly unsent: () => Promise<readonly string[]>
  /** Removes the copy. */
  readonly drop: () => Promise<void>
}

/** Claims the copy of a session, which may be empty. `null`: another tab writes it. */
export async function openCopy(
  local: SessionStorage,
  sessionId: string,
  mode: 'if-free' | 'take',
): Promise<Copy | null> {
  const claim = await local.claim(sessionId, mode)
  if (!claim) return null
  try {
    const entry = entryIn(await local.list(sessionId), sessionId)
    const mark = await readMark(await local.readBytes(sessionId, markKey))
    const last = await readMark(await local.readBytes(sessionId, lastMarkKey))
    return copyOf({ local, sessionId, claim }, { head: entry?.events ?? 0, mark, last })
  } catch (error) {
    claim.release()
    throw error
  }
}

interface Place {
  readonly local: SessionStorage
  readonly sessionId: string
  readonly claim: Claim
}

function copyOf(
  { local, sessionId, claim }: Place,
  found: { readonly head: number; readonly mark: Mark | null; readonly last: Mark | null },
): Copy {
  const { epoch, keepBytes } = claim
  let { head, mark, last } = found
  // The mark of a page's last moment was stored, and the one that was to replace it perhaps not.
  if (mark?.known === null && last) mark = { ...mark, known: last.known }

  async function setMark(next: Mark): Promise<void> {
    await keepBytes(markKey, toBlob(next))
    mark = next
    if (last) await keepBytes(lastMarkKey, null)
    last = null
  }

  // This comes before the first waiting event. A copy without a mark was never at the server, and one whose mark has no
  // number is at the server whole.
  async function markWaiting(): Promise<void> {
    if (typeof mark?.known !== 'number') await setMark({ ...mark, known: knownOf(mark, head) })
  }

  return {
    ...{ epoch, lost: claim.lost, unconfirmed: claim.unconfirmed },
    ...{ confirm: claim.confirm, release: claim.release, head: () => head, mark: () => mark },
    ...{ setMark, markWaiting },
    known: () => knownOf(mark, head),
    read: (from, to) => local.read(sessionId, from, to),
    append: async (position, events) => {
      if (position.head !== head) throw conflictAt(head, position.head)
      try {
        await local.append(sessionId, { ...position, epoch }, events)
        head += events.length
      } catch (error) {
        // The events may be stored although the append failed.
        head = entryIn(await local.list(sessionId), sessionId)?.events ?? 0
        throw error
      }
    },
    handOver: (from, events, known) => {
      mark = { ...mark, known }
      last = mark
      for (const key of [lastMarkKey, markKey]) keepBytes(key, toBlob(mark)).catch(() => {})
      return local.append(sessionId, { head: from, epoch, isLast: true }, events)
    },
    redact: async (at, redaction) => {
      if (!local.redact || at !== head) throw conflictAt(head, at)
      await local.redact(sessionId, { head, epoch }, redaction)
      head += redaction.added.length
    },
    // A file of an imported session may have any name, also that of the mark.
    cache: async (key, data) => void (ownKeys([key]).length > 0 && (await keepBytes(key, data))),
    keepFile: async (key, data) => {
      if (!isDerived(key)) await keepBytes(unsentKey(key), new Blob())
      await keepBytes(key, data)
    },
    readFile: (key) => local.readBytes(sessionId, key),
    fileSent: async (key) => {
      if (!isDerived(key)) await keepBytes(unsentKey(key), null)
    },
    dropFile: async (key) => {
      for (const one of [key, unsentKey(key)]) await keepBytes(one, null)
    },
    unsent: async () => unsentIn(entryIn(await local.list(sessionId), sessionId)?.keys ?? []),
    drop: () => local.delete(sessionId),
  }
}
