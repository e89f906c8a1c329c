import { isObject } from '../../internal/json.ts'
import { isDerived } from '../derived-bytes.ts'
import type { Position, Redaction } from '../port.ts'
import { deletedSession } from '../position.ts'
import { dropBytes, type NewBytes, putBytes } from './contents.ts'
import type { Reading, Writing } from './database.ts'
import { describedBy } from './described-by.ts'
import { endEpoch } from './epoch-fence.ts'
import { allOf, eventsOf, type StoredSession } from './schema.ts'
import type { HandedOver } from './spare-copies.ts'

// Steps within a transaction. Each awaits only its own requests, as IndexedDB requires.

const newSession: StoredSession = { epoch: 0, unconfirmed: 0, bytes: 0 }

/**
 * Adds events from number `head` on, where none may be stored yet. Throws where one cannot be stored: then none is to
 * be.
 */
export function addTo(
  transaction: Writing,
  sessionId: string,
  { head, events }: Pick<HandedOver, 'head' | 'events'>,
): readonly Promise<unknown>[] {
  const store = transaction.objectStore('events')
  const added: Promise<unknown>[] = []
  try {
    for (const event of events) added.push(store.add(event, [sessionId, head + added.length]))
  } catch (error) {
    settle(added)
    throw error
  }
  return added
}

/** Handles the rejections of promises whose outcome nothing waits for. */
export function settle(promises: readonly Promise<unknown>[]): void {
  for (const promise of promises) promise.catch(() => {})
}

/** The number of the last claim or deletion of any session. */
async function lastEpoch(transaction: Reading | Writing): Promise<number> {
  return countOf((await transaction.objectStore('counters').get('epoch')) ?? 0)
}

/** The stored facts about a session at the time of joining it. */
export interface Joined {
  /** The number of the last claim or deletion: see `lastEpoch`. */
  readonly epoch: number
  /** The number of the session's first claim; `null`: it was not claimed yet. */
  readonly born: number | null
}

export async function readJoined(transaction: Reading, sessionId: string): Promise<Joined> {
  const [epoch, session] = await Promise.all([
    lastEpoch(transaction),
    transaction.objectStore('sessions').get(sessionId),
  ])
  return { epoch, born: bornAt(session) }
}

function bornAt(session: StoredSession | undefined): number | null {
  return session?.epoch ? countOf(session.born ?? 0) : null
}

/** `known`: the last claim of the session, if it is known: the count of all claims may be damaged. */
async function nextEpoch(transaction: Writing, known: StoredSession | undefined): Promise<number> {
  const epoch = Math.max(await lastEpoch(transaction), soundOf(known).epoch) + 1
  await transaction.objectStore('counters').put(epoch, 'epoch')
  return epoch
}

export async function epochOf(transaction: Writing, sessionId: string): Promise<number> {
  return (await transaction.objectStore('sessions').get(sessionId))?.epoch ?? 0
}

/** Replaces the events, and removes all bytes that may hold the content. */
export async function redact(
  transaction: Writing,
  sessionId: string,
  { replaced, added, removedKeys, ...description }: Redaction,
): Promise<void> {
  const events = transaction.objectStore('events')
  for (const event of [...replaced, ...added]) await events.put(event, [sessionId, event.seq])
  const kept = await transaction.objectStore('bytes').getAllKeys(allOf(sessionId))
  const removed = kept.flatMap(([, key]) =>
    isDerived(`${key}`) || removedKeys.includes(key) ? [key] : [],
  )
  const size = await dropBytes(transaction, sessionId, removed)
  await changeSession(transaction, sessionId, (known) => ({
    ...description,
    bytes: known.bytes - size,
  }))
}

async function headOf(transaction: Writing, sessionId: string): Promise<number> {
  const events = transaction.objectStore('events')
  const last = await events.openKeyCursor(eventsOf(sessionId), 'prev')
  return last ? last.primaryKey[1] + 1 : 0
}

export async function positionOf(transaction: Writing, sessionId: string): Promise<Position> {
  const sessions = transaction.objectStore('sessions')
  const [session, head] = await Promise.all([
    sessions.get(sessionId),
    headOf(transaction, sessionId),
  ])
  if (!session) await sessions.put(newSession, sessionId)
  return { epoch: session?.epoch ?? 0, head }
}

/** Facts about the page that had the session before. */
interface Before {
  readonly handedOver: HandedOver | null
  /** Whether it went away without breaking. */
  readonly hasLeft: boolean
  readonly joined: Joined
}

/**
 * Counts a claim, and stores the events that the owner before handed over, if they are missing. Returns the session
 * with its new epoch, and the unconfirmed claims before this one. Throws if the session that the agent joined is not
 * there any more.
 */
export async function raiseEpoch(
  transaction: Writing,
  sessionId: string,
  { handedOver, hasLeft, joined }: Before,
): Promise<StoredSession & { readonly born: number }> {
  const sessions = transaction.objectStore('sessions')
  const found = await sessions.get(sessionId)
  const first = bornAt(found)
  if (joined.born !== null && joined.born !== first) throw deletedSession()
  const known = soundOf(found)
  await removeLoose(transaction, sessionId)
  if (handedOver && handedOver.epoch === known.epoch)
    await addMissing(transaction, sessionId, handedOver)
  const epoch = await nextEpoch(transaction, known)
  await endEpoch(transaction, known.epoch)
  const unconfirmed = hasLeft ? 0 : known.unconfirmed
  const claimed = { ...known, epoch, born: first ?? epoch }
  await sessions.put({ ...claimed, unconfirmed: unconfirmed + 1 }, sessionId)
  return { ...claimed, unconfirmed }
}

/** What is kept of a session beside its events may be damaged: with the next claim it is sound again. */
export function soundOf(stored: StoredSession | undefined): StoredSession {
  const found = isObject(stored) ? stored : newSession
  const { epoch, unconfirmed, bytes } = found
  const counts = { epoch: countOf(epoch), unconfirmed: countOf(unconfirmed), bytes: countOf(bytes) }
  return { ...found, ...counts }
}

function countOf(stored: number): number {
  return Number.isSafeInteger(stored) ? stored : 0
}

/**
 * Stores the last events of an owner that is gone, without a claim: a list shows the session, and does not open it. The
 * owner may have said nothing yet of what lists show.
 */
export async function storeHandedOver(
  transaction: Writing,
  sessionId: string,
  handedOver: HandedOver,
): Promise<void> {
  const known = await transaction.objectStore('sessions').get(sessionId)
  if (handedOver.epoch !== known?.epoch) return
  await removeLoose(transaction, sessionId)
  await addMissing(transaction, sessionId, handedOver)
  await changeSession(transaction, sessionId, ({ topic }) => describedBy(handedOver.events, topic))
}

async function addMissing(
  transaction: Writing,
  sessionId: string,
  { head: first, events }: HandedOver,
): Promise<void> {
  const head = await headOf(transaction, sessionId)
  // Events after a gap cannot be stored.
  if (head < first) return
  const missing = { head, events: events.slice(head - first) }
  await Promise.all(addTo(transaction, sessionId, missing))
}

/** Changes a known session. `false`: there is nothing to change. */
export async function changeSession(
  transaction: Writing,
  sessionId: string,
  by: (known: StoredSession) => Partial<StoredSession> | false,
): Promise<void> {
  const sessions = transaction.objectStore('sessions')
  const known = await sessions.get(sessionId)
  const changes = known ? by(known) : false
  if (known && changes) await sessions.put({ ...known, ...changes }, sessionId)
}

/** Keeps bytes, or removes them, and counts those that cannot be made again. */
export async function keepBytes(
  transaction: Writing,
  sessionId: string,
  given: NewBytes,
): Promise<void> {
  const by = await putBytes(transaction, sessionId, given)
  const sessions = transaction.objectStore('sessions')
  const known = (await sessions.get(sessionId)) ?? newSession
  await sessions.put({ ...known, bytes: known.bytes + by }, sessionId)
}

/** Returns the number of the deletion: larger than that of every claim before. */
export async function deleteSession(transaction: Writing, sessionId: string): Promise<number> {
  const all = allOf(sessionId)
  const known = await transaction.objectStore('sessions').get(sessionId)
  if (known) await endEpoch(transaction, known.epoch)
  await transaction.objectStore('sessions').delete(sessionId)
  await transaction.objectStore('events').delete(all)
  await transaction.objectStore('bytes').delete(all)
  await transaction.objectStore('contents').delete(all)
  await transaction.objectStore('counters').delete([sessionId])
  return nextEpoch(transaction, known)
}

/** Removes the events that a page handed over in its last moment, if those before them were not stored. */
async function removeLoose(transaction: Writing, sessionId: string): Promise<void> {
  const [counters, events] = [
    transaction.objectStore('counters'),
    transaction.objectStore('events'),
  ]
  const mark = await counters.get([sessionId])
  if (mark === undefined) return
  const first = countOf(mark)
  const isLoose = first > 0 && (await events.getKey([sessionId, first - 1])) === undefined
  if (isLoose) await events.delete(eventsOf(sessionId, first))
  await counters.delete([sessionId])
}
