import type { DurableEvent } from '@offthread/core'
import { isSameEvent, type SessionStorage } from '@offthread/core/storage'
import { headAt } from './compare.ts'
import type { Copy } from './copy.ts'
import { entryIn, fileKeys, isUnavailable, markKey, toBlob, unsentKey } from './mark.ts'

interface Apart {
  readonly remote: SessionStorage
  readonly local: SessionStorage
  readonly sessionId: string
  readonly copy: Copy
  readonly newId: () => string
}

/** How many events are copied at once. */
const pageSize = 500

/**
 * Keeps a copy, whole and with its files, as a session of its own on this device, which waits for the server like any
 * other. Resolves with its name. After a failure the next call goes on under the same name.
 */
export async function keepApart(given: Apart): Promise<string> {
  const { local, sessionId, copy, newId } = given
  const mark = copy.mark() ?? { known: 0 }
  const keptAs = mark.keptAs ?? `${sessionId}-${newId().slice(0, 8)}`
  await copy.setMark({ ...mark, keptAs })
  const before = entryIn(await local.list(keptAs), keptAs)?.events ?? 0
  const shared = Math.min(before, copy.head())
  if (await isLastOf(given, keptAs, shared)) {
    // A session that is whole may have been opened and continued since.
    if (before < copy.head()) await writeCopy(given, keptAs, before)
    return keptAs
  }
  // The session was opened before it was whole, so the copy is kept under another name.
  await copy.setMark({ known: mark.known })
  return keepApart(given)
}

/** Whether the last of the first `count` events is the same in both. */
async function isLastOf({ local, copy }: Apart, keptAs: string, count: number): Promise<boolean> {
  if (count === 0) return true
  const [kept] = await local.read(keptAs, count - 1, count)
  const [own] = await copy.read(count - 1, count)
  return isOfOne(kept, own)
}

/** Writes the events from a number on, and all files that are not there yet. */
async function writeCopy(given: Apart, keptAs: string, from: number): Promise<void> {
  const { local, sessionId, copy } = given
  const removed = await readRemoved(given)
  const claim = await local.claim(keptAs, 'take')
  if (!claim) return
  // Events that come from now on, and their files, are kept by a later call.
  const end = copy.head()
  try {
    const { epoch, keepBytes } = claim
    if (from === 0) await keepBytes(markKey, toBlob({ known: 0 }))
    await keepFiles(given, keepBytes, removed.keys)
    // The events come last: with the first of them the session is in the list.
    for (let head = from; head < end; head += pageSize) {
      const events = await copy.read(head, Math.min(head + pageSize, end))
      const own = events.map((event) => ({ ...removed.without(event), sessionId: keptAs }))
      await local.append(keptAs, { head, epoch, durability: 'strict' }, own)
    }
    const { title, topic, status } = entryIn(await local.list(sessionId), sessionId) ?? {}
    await local.describe(keptAs, {
      title: `${title || topic || sessionId} (offline)`,
      ...(topic !== undefined && { topic }),
      ...(status !== undefined && { status }),
    })
    await claim.confirm()
  } finally {
    claim.release()
  }
}

/** What was removed at the server from events that it is known to have. The copy still holds that content. */
async function readRemoved({ remote, sessionId, copy }: Apart) {
  const bare = new Map<number, DurableEvent>()
  const keys = new Set<string>()
  const end = await headAt(remote, sessionId)
  for (let head = 0; head < end; head += pageSize) {
    const theirs = await remote.read(sessionId, head, Math.min(head + pageSize, end))
    const ours = await copy.read(head, head + theirs.length)
    for (const [at, event] of theirs.entries()) {
      if (event.type === 'message_redacted') for (const key of event.artifactIds) keys.add(key)
      if (event.seq < copy.known() && isChanged(event, ours[at])) bare.set(event.seq, event)
    }
  }
  return { keys, without: (event: DurableEvent) => bare.get(event.seq) ?? event }
}

/** Whether an event is the same without its content, and not one of another session of that name. */
function isChanged(event: DurableEvent, own: DurableEvent | undefined): boolean {
  return isOfOne(event, own) && !isSameEvent(event, own)
}

function isOfOne(one: DurableEvent | undefined, other: DurableEvent | undefined): boolean {
  return one?.ts === other?.ts && one?.type === other?.type && one?.runId === other?.runId
}

/** The files of the copy, and those that it names and only the server has. */
async function keepFiles(
  { remote, local, sessionId }: Apart,
  keepBytes: (key: string, data: Blob | null) => Promise<void>,
  removed: ReadonlySet<string>,
): Promise<void> {
  const here = entryIn(await local.list(sessionId), sessionId)
  const there = entryIn(await remote.list(sessionId), sessionId)
  for (const key of new Set(fileKeys([...(here?.keys ?? []), ...(there?.keys ?? [])]))) {
    if (removed.has(key)) continue
    const data =
      (await local.readBytes(sessionId, key)) ?? (await readThere(remote, sessionId, key))
    if (!data) continue
    await keepBytes(unsentKey(key), new Blob())
    await keepBytes(key, data)
  }
}

/** A file that cannot be read must not keep the others from being kept. */
async function readThere(
  { readBytes }: SessionStorage,
  sessionId: string,
  key: string,
): Promise<Blob | undefined> {
  try {
    return await readBytes(sessionId, key)
  } catch (error) {
    if (isUnavailable(error)) throw error
    return undefined
  }
}
