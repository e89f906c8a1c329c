/**
 * The SHA-256 of a text as 64 hex digits. Computed by the platform where it can, which is in a secure context;
 * elsewhere the code for it is loaded first.
 */
export async function sha256(text: string): Promise<string> {
  // The property is missing without a secure context, whatever its type says.
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle
  if (!subtle) {
    const { portableSha256 } = await import('./portable-sha256.ts')
    return portableSha256(text)
  }
  const digest = await subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
