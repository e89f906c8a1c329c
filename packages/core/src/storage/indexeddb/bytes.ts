import { isDerived } from '../derived-bytes.ts'
import { digestOf } from '../digest-of.ts'
import { type SessionStorage, StorageError } from '../port.ts'
import { getBytes, type NewBytes } from './contents.ts'
import type { Database, Reading, Writing } from './database.ts'
import { failureOf } from './failure-of.ts'
import { writeFiles } from './lost-files.ts'
import { keepBytes } from './requests.ts'
import { toBlob, writeBlob } from './stored-bytes.ts'

/** The bytes beside sessions, kept by their digests. */
export interface Bytes {
  /** Keeps bytes, or removes them, in the order of the calls. `check` may refuse that, in the same transaction. */
  readonly write: (
    sessionId: string,
    given: { readonly key: string; readonly data: Blob | null },
    check?: (transaction: Writing) => Promise<void>,
  ) => Promise<void>
  /** Rejects as `damaged` for bytes that are not the ones that were written. */
  readonly read: (sessionId: string, key: string) => Promise<Blob | undefined>
  /** Appends events after the bytes that they name. In a page's last moment they cannot wait. */
  readonly appendAfter: (append: SessionStorage['append']) => SessionStorage['append']
}

export function createBytes(database: Pick<Database, 'read' | 'write'>): Bytes {
  /** By session: resolves when the last write has started. */
  const waiting = new Map<string, Promise<void>>()

  /** Whether a content with this digest is kept, and is not what was stored: then an equal file takes its place. */
  async function isDamaged(sessionId: string, sha256: string): Promise<boolean> {
    const get = (now: Reading) => now.objectStore('contents').get([sessionId, sha256])
    const kept = await database.read(get).catch(() => null)
    if (!kept) return kept === null
    return (await digestOf(toBlob(kept)).catch(() => null)) !== sha256
  }

  return {
    write: async (sessionId, { key, data }, check = async () => {}) => {
      const begin = (file: Pick<NewBytes, 'sha256' | 'isDamaged'> = {}) =>
        writeBlob(data, (stored) =>
          writeFiles({ database, sessionId }, async (now) => {
            await check(now)
            await keepBytes(now, sessionId, { key, data: stored, ...file })
          }),
        )
      const before = waiting.get(sessionId)
      const digest = data && !isDerived(key) ? digestOf(data) : undefined
      if (!before && !digest) return begin()
      const begun = Promise.allSettled([digest, before]).then(async ([digested]) => {
        if (digested.status === 'rejected') throw failureOf(digested.reason)
        const sha256 = digested.value
        if (sha256 === undefined) return { written: begin() }
        return { written: begin({ sha256, isDamaged: await isDamaged(sessionId, sha256) }) }
      })
      const clear = () => {
        if (waiting.get(sessionId) === settled) waiting.delete(sessionId)
      }
      const settled = begun.then(clear, clear)
      waiting.set(sessionId, settled)
      await (await begun).written
    },
    read: async (sessionId, key) => {
      const found = await database
        .read((now) => getBytes(now, sessionId, key))
        .catch(async (error: unknown) => {
          // Keys can be read where a value cannot.
          const place = [sessionId, key] satisfies [string, string]
          const kept = database.read(async (now) => now.objectStore('bytes').getKey(place))
          if ((await kept.catch(() => undefined)) === undefined) throw error
          return null
        })
      if (found === undefined) return undefined
      const { data, sha256 } = found ?? {}
      // A Blob whose file is gone or cut can be had, and not be read.
      const digest = data && sha256 && (await digestOf(data).catch(() => null))
      if (data && digest === sha256) return data
      throw damaged(key)
    },
    appendAfter: (append) => async (sessionId, position, events) => {
      const before = position.isLast ? undefined : waiting.get(sessionId)
      if (before) await before
      return append(sessionId, position, events)
    },
  }
}

function damaged(key: string): StorageError {
  return new StorageError(
    'damaged',
    `The stored file ${key} is not what was stored: the browser has lost or changed it. The rest of the session is as it was.`,
  )
}
