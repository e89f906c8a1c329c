import { isObject } from '../../internal/json.ts'
import { isDerived } from '../derived-bytes.ts'
import type { Reading, Writing } from './database.ts'
import { allOf, type StoredFile } from './schema.ts'
import { type StoredBytes, toBlob } from './stored-bytes.ts'

// Within a transaction: the files beside a session. Equal ones are kept once, under their digest, for as long as a key
// names them. Each awaits nothing but its requests.

/** The value for a key, with its digest. `null` removes the value. */
export interface NewBytes {
  readonly key: string
  readonly data: StoredBytes | null
  /** The digest. Absent for bytes that can be made again: those are kept as they are. */
  readonly sha256?: string
  /** Whether a content with this digest is kept that is not what was stored. */
  readonly isDamaged?: boolean
}

/** Keeps bytes, or removes them. Returns by how many bytes the counted size has grown. */
export async function putBytes(
  transaction: Writing,
  sessionId: string,
  { key, data, sha256, isDamaged = false }: NewBytes,
): Promise<number> {
  const bytes = transaction.objectStore('bytes')
  const before = isDerived(key) ? [] : [await bytes.get([sessionId, key])]
  if (!data) await bytes.delete([sessionId, key])
  else if (sha256 === undefined) await bytes.put(data, [sessionId, key])
  else await bytes.put({ sha256, size: data.size, type: data.type }, [sessionId, key])
  const contents = transaction.objectStore('contents')
  const isNew = data && sha256 && (await contents.getKey([sessionId, sha256])) === undefined
  if (isNew || (data && sha256 && isDamaged)) await contents.put(data, [sessionId, sha256])
  const gone = await sizeWithout(transaction, sessionId, before)
  return (isNew ? data.size : 0) - gone
}

/** Removes the values of these keys. Returns by how many bytes the counted size has shrunk. */
export async function dropBytes(
  transaction: Writing,
  sessionId: string,
  keys: readonly string[],
): Promise<number> {
  const bytes = transaction.objectStore('bytes')
  const gone: (StoredFile | StoredBytes | undefined)[] = []
  for (const key of keys) {
    if (!isDerived(key)) gone.push(await bytes.get([sessionId, key]))
    await bytes.delete([sessionId, key])
  }
  return sizeWithout(transaction, sessionId, gone)
}

/** The bytes under a key, and the digest that they have to have. `null`: their content is gone. */
export async function getBytes(
  transaction: Reading,
  sessionId: string,
  key: string,
): Promise<{ readonly data: Blob; readonly sha256?: string } | null | undefined> {
  const found = await transaction.objectStore('bytes').get([sessionId, key])
  if (found === undefined) return undefined
  if (!isFile(found)) {
    const isData: boolean = isObject(found)
    return isData ? { data: toBlob(found) } : null
  }
  const { sha256, type } = found
  const content = await transaction.objectStore('contents').get([sessionId, sha256])
  return content ? { data: toBlob(content).slice(0, content.size, type), sha256 } : null
}

/**
 * Removes contents that no key names any more. Returns the size of these, and of files as earlier versions kept them.
 */
async function sizeWithout(
  transaction: Writing,
  sessionId: string,
  gone: readonly (StoredFile | StoredBytes | undefined)[],
): Promise<number> {
  let size = 0
  const digests = new Map<string, number>()
  for (const one of gone) {
    if (isFile(one)) digests.set(one.sha256, one.size)
    else if (one) size += one.size
  }
  if (digests.size === 0) return size
  for (const kept of await transaction.objectStore('bytes').getAll(allOf(sessionId))) {
    if (isFile(kept)) digests.delete(kept.sha256)
  }
  for (const [sha256, bytes] of digests) {
    await transaction.objectStore('contents').delete([sessionId, sha256])
    size += bytes
  }
  return size
}

// What is stored may be damaged, and then be no object.
export function isFile(stored: StoredFile | StoredBytes | undefined): stored is StoredFile {
  return isObject(stored) && 'sha256' in stored
}
