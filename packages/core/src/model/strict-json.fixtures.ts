/** What the judges of requests need to read JSON that is not checked yet. */

export type Fields = { readonly [key: string]: unknown }

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

/** A text that is not blank. */
export function isInked(value: unknown): value is string {
  return typeof value === 'string' && /\S/.test(value)
}

const halfPair = /\p{Surrogate}/u

/** Servers refuse a body with half a surrogate pair before they read its content. */
export function isUnicode(value: unknown): boolean {
  if (typeof value === 'string') return !halfPair.test(value)
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isUnicode)
  for (const [key, field] of Object.entries(value)) {
    if (halfPair.test(key) || !isUnicode(field)) return false
  }
  return true
}

export function isBase64(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value.length % 4 === 0 &&
    /^[A-Za-z0-9+/]+={0,2}$/.test(value)
  )
}

/** The first field that is not allowed here, or `undefined`. */
export function extraField(fields: Fields, allowed: ReadonlySet<string>): string | undefined {
  for (const key in fields) if (!allowed.has(key)) return key
  return undefined
}
