import { splitsPair } from '../../internal/cut-text.ts'

/** How many bytes the text has in UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}

/**
 * Cuts the middle out of a text that has more than `maxBytes` bytes in UTF-8: 70 % of what is kept is its
 * head. The marker that says so counts too, and no character is cut in two. `bytes`: how many it has.
 */
export function cutMiddle(
  text: string,
  maxBytes: number,
  bytes: number = byteLength(text),
): string {
  if (bytes <= maxBytes) return text
  // The final number is smaller, but "999 bytes" is longer than "1.0 KB".
  const markerBytes = Math.max(byteLength(markerFor(bytes)), byteLength(markerFor(999)))
  const room = maxBytes - markerBytes
  if (room <= 0) return ''
  const tailBytes = Math.floor(room * 0.3)
  const head = headOf(text, room - tailBytes)
  const tail = tailOf(text, tailBytes)
  return `${head}${markerFor(bytes - byteLength(head) - byteLength(tail))}${tail}`
}

/** Bytes for people: `49.0 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

function markerFor(bytes: number): string {
  return `\n… ${formatBytes(bytes)} cut …\n`
}

function headOf(text: string, maxBytes: number): string {
  // `encodeInto` stops before a character that does not fit.
  const { read } = new TextEncoder().encodeInto(
    text.slice(0, maxBytes + 1),
    new Uint8Array(maxBytes),
  )
  return text.slice(0, splitsPair(text, read) ? read - 1 : read)
}

function tailOf(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text.slice(Math.max(0, text.length - maxBytes)))
  let start = Math.max(0, bytes.length - maxBytes)
  while (isContinuation(bytes[start])) start += 1
  return new TextDecoder().decode(bytes.subarray(start))
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000
}
