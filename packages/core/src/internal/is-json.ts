import type { Json } from './json.ts'

/** Deeper than this is no data: it is a mistake, or an attack on its reader. */
export const maxDepth = 200

/** More values than this are no data that a page passes around. */
export const maxValues = 1_000_000

/**
 * Whether a value that came from elsewhere is plain JSON already. Takes a bounded time for any value: one object in
 * many places counts in each of them, as it would in JSON text.
 */
export function isJson(value: unknown): value is Json {
  return isJsonAt(value, { depth: 0, budget: { values: maxValues } })
}

interface Budget {
  /** How many more values may be looked at. */
  values: number
}

function isJsonAt(
  value: unknown,
  { depth, budget }: { readonly depth: number; readonly budget: Budget },
): boolean {
  budget.values -= 1
  if (budget.values < 0) return false
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || depth > maxDepth) return false
  const inside = { depth: depth + 1, budget }
  if (Array.isArray(value)) return value.every((item) => isJsonAt(item, inside))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  return Object.values(value).every((item) => item === undefined || isJsonAt(item, inside))
}
