/** Bytes that `String.fromCharCode` takes as arguments at once. */
const pieceSize = 8192

export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += pieceSize) {
    binary += String.fromCharCode(...bytes.subarray(at, at + pieceSize))
  }
  return btoa(binary)
}

/** `null` for what is no base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return null
  }
}
