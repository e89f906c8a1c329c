/** Characters that fit into one call. A multiple of three, so that the pieces can be joined. */
const pieceSize = 0x6000

/** The bytes as base64 text. */
export async function toBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += pieceSize) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + pieceSize))))
  }
  return pieces.join('')
}
