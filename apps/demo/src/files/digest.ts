import type { PendingFile } from './attachments.ts'
import { isImageName, isPdfName } from './file-kinds.ts'

/** The files with digests of those that models can see: their messages name them by it, for names come twice. */
export function withDigests(files: readonly PendingFile[]): Promise<readonly PendingFile[]> {
  return Promise.all(
    files.map(async (pending) => {
      const { name, file } = pending
      const isSeen = isImageName(name) || isPdfName(name)
      return isSeen ? { ...pending, digest: await digestOf(file) } : pending
    }),
  )
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
