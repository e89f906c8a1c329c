import { type Durability, isKind } from '../port.ts'
import { isFile } from './contents.ts'
import type { Database, Reading, Writing } from './database.ts'
import { changeSession, soundOf } from './requests.ts'
import { allOf, type StoredFile } from './schema.ts'

interface Place {
  readonly database: Pick<Database, 'read' | 'write'>
  readonly sessionId: string
  readonly durability?: Durability
}

/** Stands for a file that is lost: its content is nowhere, so that reading it fails as damaged. */
const lost: StoredFile = { sha256: '', size: 0, type: '' }

/** Changes the files of a session, also where the browser cannot read what it has stored of some of them. */
export async function writeFiles(
  { database, sessionId, durability }: Place,
  work: (now: Writing) => Promise<void>,
): Promise<void> {
  try {
    await database.write(work, durability)
  } catch (error) {
    // Firefox ends a transaction in which it cannot read a value, so that no file beside it could be changed either.
    if (!isKind(error, 'unknown') || !(await giveUpUnreadable(database, sessionId))) throw error
    await database.write(work, durability)
  }
}

/** Keeps of the names that cannot be read that they were there, and of their contents nothing. Returns whether there were any. */
async function giveUpUnreadable(database: Place['database'], sessionId: string): Promise<boolean> {
  const all = allOf(sessionId)
  const attempt = <Value>(read: (now: Reading) => Promise<Value>) =>
    database.read(read).catch(() => null)
  const names = await database.read((now) => now.objectStore('bytes').getAllKeys(all))
  const named = new Set<string>()
  const unreadable: typeof names = []
  for (const name of names) {
    const file = await attempt((now) => now.objectStore('bytes').get(name))
    if (!file) unreadable.push(name)
    else if (isFile(file)) named.add(file.sha256)
  }
  if (unreadable.length === 0) return false
  const kept = await database.read((now) => now.objectStore('contents').getAllKeys(all))
  const unnamed = kept.filter(([, sha256]) => !named.has(sha256))
  let size = 0
  for (const content of unnamed) {
    size += (await attempt((now) => now.objectStore('contents').get(content)))?.size ?? 0
  }
  await database.write(async (now) => {
    for (const name of unreadable) await now.objectStore('bytes').put(lost, name)
    for (const content of unnamed) await now.objectStore('contents').delete(content)
    await changeSession(now, sessionId, (known) => ({ bytes: soundOf(known).bytes - size }))
  })
  return true
}
