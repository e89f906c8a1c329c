import type { PendingFile } from './attachments.ts'
import { isImageName, isPdfName } from './file-kinds.ts'

/**
 * Adds digests to the files that models can see. Messages name them by digest, because two may have one name. Rejects
 * with a sentence for people if one cannot be read.
 */
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

/**
 * The error for a file that cannot be read: it was moved or changed, it is a folder, or it is too large for the
 * browser.
 */
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
