import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** The most bytes that are read into memory at once. */
const wholeBytes = 32 * 1024 * 1024
const sliceBytes = 1024 * 1024

/**
 * The SHA-256 of bytes as 64 hex digits. The platform computes it, off this thread. Without a secure context, and for
 * large data, it is computed here in slices, between which the page may run other tasks.
 */
export async function digestOf(data: Blob): Promise<string> {
  // The property is missing without a secure context, whatever its type says.
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle
  if (subtle && data.size <= wholeBytes) {
    return bytesToHex(new Uint8Array(await subtle.digest('SHA-256', await data.arrayBuffer())))
  }
  const hash = sha256.create()
  for (let at = 0; at < data.size; at += sliceBytes) {
    hash.update(new Uint8Array(await data.slice(at, at + sliceBytes).arrayBuffer()))
  }
  return bytesToHex(hash.digest())
}
