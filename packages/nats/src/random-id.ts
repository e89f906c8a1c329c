/** A new id. `crypto.randomUUID` would need a secure context, which a page on `http:` is not. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
