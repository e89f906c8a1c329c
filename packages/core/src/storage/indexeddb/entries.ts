import type { SessionEntry } from '../port.ts'
import { timeOf } from '../time-of.ts'
import type { Database, Reading } from './database.ts'
import { soundOf } from './requests.ts'
import { allOf, behind, eventsOf, type StoredSession } from './schema.ts'

type StoredEntry = Omit<SessionEntry, 'isOpen'>

/** The sessions that hold events; only the one of this name, if it is given. */
export async function readEntries(
  database: Pick<Database, 'read'>,
  sessionId?: string,
): Promise<readonly StoredEntry[]> {
  const found = (now: Reading) => (sessionId === undefined ? idsIn(now) : [sessionId])
  try {
    return await database.read(async (now) => entriesOf(now, await found(now)))
  } catch {
    // A value that cannot be read ends its transaction, and must not hide the other sessions.
    const entries: StoredEntry[] = []
    for (const id of await database.read(async (now) => found(now))) {
      const one = database.read((now) => entriesOf(now, [id]))
      entries.push(...(await one.catch(() => unreadableOf(database, id))))
    }
    return entries
  }
}

/** The ids of sessions with events, by one request for each: there may be many sessions that were only looked at. */
async function idsIn(transaction: Reading): Promise<readonly string[]> {
  const ids: string[] = []
  const next = (range: IDBKeyRange) => transaction.objectStore('events').openKeyCursor(range)
  // Keys that are no lists, and lists that begin with no text, come before: another script of the origin may make such.
  let cursor = await next(IDBKeyRange.lowerBound(['']))
  while (cursor) {
    const [sessionId] = cursor.primaryKey
    const isText: boolean = typeof sessionId === 'string'
    if (!isText) break
    ids.push(sessionId)
    cursor = await next(behind(sessionId))
  }
  return ids
}

async function entriesOf(
  transaction: Reading,
  ids: readonly string[],
): Promise<readonly StoredEntry[]> {
  const entries = await Promise.all(ids.map((sessionId) => entryOf(transaction, sessionId)))
  return entries.flat()
}

async function entryOf(transaction: Reading, sessionId: string): Promise<readonly StoredEntry[]> {
  const [kept, times] = await Promise.all([
    transaction
      .objectStore('sessions')
      .get(sessionId)
      .then((session) => keptOf(transaction, sessionId, session)),
    timesOf(transaction, sessionId),
  ])
  return kept.map((entry) => ({ ...entry, ...times }))
}

async function timesOf(
  transaction: Reading,
  sessionId: string,
): Promise<Pick<StoredEntry, 'createdAt' | 'updatedAt'>> {
  const events = transaction.objectStore('events')
  const first = await events.get([sessionId, 0])
  const last = await events.openCursor(eventsOf(sessionId), 'prev')
  return { createdAt: timeOf(first ?? last?.value), updatedAt: timeOf(last?.value) }
}

/** The entry of a session with a value that cannot be read, made from the keys, and from its record if that can be read. */
async function unreadableOf(
  database: Pick<Database, 'read'>,
  sessionId: string,
): Promise<readonly StoredEntry[]> {
  const reading = database.read((now) => now.objectStore('sessions').get(sessionId))
  const session = await reading.catch(() => undefined)
  const kept = await database.read((now) => keptOf(now, sessionId, session))
  return kept.map((entry) => ({ ...entry, createdAt: 0, updatedAt: 0 }))
}

/** The facts about a session that are kept apart from its events. */
async function keptOf(
  transaction: Reading,
  sessionId: string,
  session: StoredSession | undefined,
): Promise<readonly Omit<StoredEntry, 'createdAt' | 'updatedAt'>[]> {
  const [last, kept] = await Promise.all([
    transaction.objectStore('events').openKeyCursor(eventsOf(sessionId), 'prev'),
    transaction.objectStore('bytes').getAllKeys(allOf(sessionId)),
  ])
  if (!last) return []
  const keys = kept.map(([, key]) => key).filter((key: unknown) => typeof key === 'string')
  return [{ sessionId, ...shownOf(soundOf(session)), events: last.primaryKey[1] + 1, keys }]
}

/** What a list shows has to be of its kind: one entry that is damaged must not break what shows them all. */
function shownOf({ bytes, title, topic, status }: StoredSession) {
  return {
    bytes,
    ...(typeof title === 'string' && { title }),
    ...(typeof topic === 'string' && { topic }),
    ...(typeof status === 'string' && { status }),
  }
}
