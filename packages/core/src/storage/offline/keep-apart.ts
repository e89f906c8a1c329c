import type { SessionStorage } from '../port.ts'
import type { Copy } from './copy.ts'
import { entryIn, fileKeys, isUnavailable, markKey, toBlob, unsentKey } from './mark.ts'

interface Apart {
  readonly remote: SessionStorage
  readonly local: SessionStorage
  readonly sessionId: string
  readonly copy: Copy
  readonly newId: () => string
}

/** So many events are copied at once. */
const pageSize = 500

/**
 * Keeps a copy, whole and with its files, as a session of its own on this device, which waits for the server as any other.
 * Resolves with its name. What breaks off is done again under the same name.
 */
export async function keepApart(given: Apart): Promise<string> {
  const { local, sessionId, copy, newId } = given
  const mark = copy.mark() ?? { known: null }
  const keptAs = mark.keptAs ?? `${sessionId}-${newId().slice(0, 8)}`
  await copy.setMark({ ...mark, keptAs })
  const before = entryIn(await local.list(keptAs), keptAs)
  // One that is whole may have been opened since.
  if (before && before.events >= copy.head()) return keptAs
  if (before) await local.delete(keptAs)
  await writeCopy(given, keptAs)
  return keptAs
}

async function writeCopy(given: Apart, keptAs: string): Promise<void> {
  const { local, sessionId, copy } = given
  const claim = await local.claim(keptAs, 'take')
  if (!claim) return
  try {
    const { epoch, keepBytes } = claim
    await keepBytes(markKey, toBlob({ known: 0 }))
    await keepFiles(given, keepBytes)
    // At last: with its events it is in the list.
    for (let head = 0; head < copy.head(); head += pageSize) {
      const events = await copy.read(head, Math.min(head + pageSize, copy.head()))
      const own = events.map((event) => ({ ...event, sessionId: keptAs }))
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

/** The files of the copy, and those that it names and only the server has. */
async function keepFiles(
  { remote, local, sessionId }: Apart,
  keepBytes: (key: string, data: Blob | null) => Promise<void>,
): Promise<void> {
  const here = entryIn(await local.list(sessionId), sessionId)
  const there = entryIn(await remote.list(sessionId), sessionId)
  for (const key of new Set(fileKeys([...(here?.keys ?? []), ...(there?.keys ?? [])]))) {
    const data =
      (await local.readBytes(sessionId, key)) ?? (await readThere(remote, sessionId, key))
    if (!data) continue
    await keepBytes(unsentKey(key), new Blob())
    await keepBytes(key, data)
  }
}

/** One that cannot be read does not keep the rest from being kept. */
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
