import { defined } from '../../internal/defined.ts'
import { isDerived } from '../derived-bytes.ts'
import { digestOf } from '../digest-of.ts'
import { type SessionStorage, StorageError } from '../port.ts'
import { getBytes } from './contents.ts'
import type { Database, Writing } from './database.ts'
import { failureOf } from './failure-of.ts'
import { keepBytes } from './requests.ts'
import { writeBlob } from './stored-bytes.ts'

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

  return {
    write: async (sessionId, { key, data }, check = async () => {}) => {
      const begin = (sha256?: string) =>
        writeBlob(data, (stored) =>
          database.write(async (now) => {
            await check(now)
            await keepBytes(now, sessionId, { key, data: stored, ...defined({ sha256 }) })
          }),
        )
      const before = waiting.get(sessionId)
      const digest = data && !isDerived(key) ? digestOf(data) : undefined
      if (!before && !digest) return begin()
      const begun = Promise.allSettled([digest, before]).then(([digested]) => {
        if (digested.status === 'rejected') throw failureOf(digested.reason)
        return { written: begin(digested.value) }
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
