import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** The SHA-256 of a text as 64 hex digits, computed here: it needs no secure context. */
export function portableSha256(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}
