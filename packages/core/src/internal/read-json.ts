import { isList, type Json } from './json.ts'

/** The deepest nesting that is read: more is a mistake, or an attack on the reader. */
export const maxDepth = 200

/** The most characters of JSON text that a page should pass around. */
const maxChars = 5_000_000

/** How much may still be read: here, characters of JSON text. Below 0: there was more than that. */
export interface Budget {
  left: number
}

/**
 * A copy of a value that came from elsewhere, as plain JSON; `undefined` for what JSON cannot hold, and for what is over
 * the budget. Takes a bounded time for any value: each list and object pays for its length before it is walked, and
 * one object in many places counts in each of them, as it would in JSON text.
 */
export function readJson(value: unknown, budget: Budget = { left: maxChars }): Json | undefined {
  const pays = (chars: number): boolean => {
    budget.left -= chars
    return budget.left >= 0
  }

  const copyOf = (one: unknown, depth: number): Json | undefined => {
    if (typeof one === 'string') return pays(one.length + 2) ? one : undefined
    // Adding 0 makes 0 of -0, which JSON does not have.
    if (typeof one === 'number' && Number.isFinite(one))
      return pays(String(one).length) ? one + 0 : undefined
    if (one === null || typeof one === 'boolean') return pays(4) ? one : undefined
    if (typeof one !== 'object' || depth > maxDepth) return undefined
    return isList(one) ? copyOfList(one, depth + 1) : copyOfObject(one, depth + 1)
  }

  const copyOfList = (list: readonly unknown[], depth: number): Json | undefined => {
    if (!pays(list.length + 1)) return undefined
    const copies: Json[] = []
    // A hole is `undefined`, too.
    for (const item of list) {
      const copy = copyOf(item, depth)
      if (copy === undefined) return undefined
      copies.push(copy)
    }
    return copies
  }

  const copyOfObject = (object: object, depth: number): Json | undefined => {
    if (!isPlainObject(object)) return undefined
    const keys = Object.keys(object)
    // Also for fields that are `undefined`: they are not copied, but take as long.
    if (!pays(4 * keys.length + 1)) return undefined
    const copies: { [key: string]: Json } = {}
    for (const key of keys) {
      const field: unknown = Reflect.get(object, key)
      if (field === undefined) continue
      const copy = pays(key.length) ? copyOf(field, depth) : undefined
      if (copy === undefined) return undefined
      // An assignment to `__proto__` would not make a field.
      if (key === '__proto__') Object.defineProperty(copies, key, { value: copy, ...plainField })
      else copies[key] = copy
    }
    return copies
  }

  return copyOf(value, 0)
}

const plainField = { enumerable: true, configurable: true, writable: true }

/** Whether an object is of no class. That of another realm, such as a frame, or Node under Jest, has another prototype. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Whether a value is plain JSON, of whatever size. */
export function isJson(value: unknown): value is Json {
  return readJson(value, { left: Number.POSITIVE_INFINITY }) !== undefined
}
