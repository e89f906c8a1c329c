/** Bytes that `String.fromCharCode` takes as arguments at once. */
const pieceSize = 8192

export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += pieceSize) {
    binary += String.fromCharCode(...bytes.subarray(at, at + pieceSize))
  }
  return btoa(binary)
}

/** `null` for a text that is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const binary = atob(text)
    const bytes = new Uint8Array(binary.length)
    // A loop, because a callback for each byte takes seconds.
    for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at)
    return bytes
  } catch {
    return null
  }
}
