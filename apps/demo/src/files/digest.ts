import type { PendingFile } from './attachments.ts'
import { isImageName, isPdfName } from './file-kinds.ts'

/** The files with digests of those that models can see: their messages name them by it, for names come twice. Rejects with a sentence for people if one cannot be read. */
export function withDigests(files: readonly PendingFile[]): Promise<readonly PendingFile[]> {
  return Promise.all(
    files.map(async (pending) => {
      const { name, file } = pending
      const isSeen = isImageName(name) || isPdfName(name)
      return isSeen
        ? { ...pending, digest: await digestOf(file).catch(() => unread(name)) }
        : pending
    }),
  )
}

/** It was moved or changed since it was chosen, or it is a folder, or more than the browser holds at once. */
function unread(name: string): never {
  throw new Error(`${name} could not be read. Remove it, or choose it again.`)
}

/** The SHA-256 of a file in hexadecimal digits. */
async function digestOf(file: Blob): Promise<string> {
  const bytes = await file.arrayBuffer()
  // Browsers have it for https and localhost only.
  const digest = crypto.subtle
    ? new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    : (await import('@noble/hashes/sha2.js')).sha256(new Uint8Array(bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
