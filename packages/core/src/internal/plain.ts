import { isObject, type Json } from './json.ts'
import { maxDepth } from './read-json.ts'

/** The most values in one object: a page should not pass more around. */
const maxValues = 1_000_000

/** Kinds that JSON would silently turn into `{}`. */
const opaque =
  /^(Map|Set|Weak.+|Promise|Error|RegExp|(Async)?Generator|.*Iterator.*|(Shared)?ArrayBuffer|DataView|.+Array|Blob|File|ImageBitmap|ImageData|VideoFrame|AudioData|OffscreenCanvas|MessagePort|.+Stream|Request|Response|Headers|FormData|URLSearchParams|CryptoKey|FileSystem.+|WebAssembly\..+)$/

/**
 * A value as plain JSON, by the rules of `JSON.stringify`. What those rules would lose in silence (a Map, a
 * function, bytes), what they cannot hold (BigInt, a cycle) and what is too much is a `TypeError` that names the path.
 * So is an object at which `refused` gives the name of its kind.
 */
export function toPlain(value: unknown, refused?: (one: object) => string | undefined): Json {
  const budget = { values: maxValues }
  return plainAt(value, { path: '', ancestors: new Set(), budget, refused }) ?? null
}

interface Budget {
  /** How many more values may be looked at. */
  values: number
}

interface Place {
  readonly path: string
  /** The objects the value is in. Each takes itself out when it is done. */
  readonly ancestors: Set<object>
  readonly budget: Budget
  readonly refused: ((one: object) => string | undefined) | undefined
}

/** `undefined` where JSON leaves the field out. */
function plainAt(value: unknown, place: Place): Json | undefined {
  place.budget.values -= 1
  if (place.budget.values < 0) throw tooMany(place)
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      // Adding 0 makes 0 of -0, which JSON does not have.
      return Number.isFinite(value) ? value + 0 : null
    case 'undefined':
      return undefined
    case 'object':
      return value === null ? null : plainObjectAt(value, place)
    case 'bigint':
    case 'function':
    case 'symbol':
      throw problemAt(place, `a ${typeof value}`)
  }
}

function plainObjectAt(value: object, place: Place): Json | undefined {
  const { ancestors } = place
  if (ancestors.has(value)) throw problemAt(place, 'a cycle')
  if (ancestors.size >= maxDepth) throw problemAt(place, `more than ${maxDepth} levels`)
  ancestors.add(value)
  const plain = contentAt(value, place)
  ancestors.delete(value)
  return plain
}

function contentAt(value: object, place: Place): Json | undefined {
  const { path, refused } = place
  const refusal = refused?.(value)
  if (refusal) throw problemAt(place, refusal)
  if (hasToJson(value)) return plainAt(value.toJSON(), place)
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    // Checked before the list is walked, because a list of holes can have any length.
    if (items.length > place.budget.values) throw tooMany(place)
    // `map` would keep holes, which JSON does not have.
    return Array.from(
      items,
      (item, i) => plainAt(item, { ...place, path: `${path}[${i}]` }) ?? null,
    )
  }
  const kind = Object.prototype.toString.call(value).slice('[object '.length, -1)
  const own: unknown = /^(String|Number|Boolean)$/.test(kind) ? value.valueOf() : value
  if (own !== value) return plainAt(own, place)
  if (opaque.test(kind)) throw problemAt(place, /^[AEI]/.test(kind) ? `an ${kind}` : `a ${kind}`)
  // A field called `__proto__` must stay a field.
  return Object.fromEntries(
    Object.keys(value).flatMap((key) => {
      const field: unknown = Reflect.get(value, key)
      const plain = plainAt(field, { ...place, path: path === '' ? key : `${path}.${key}` })
      return plain === undefined ? [] : [[key, plain]]
    }),
  )
}

function hasToJson(value: object): value is { readonly toJSON: () => unknown } {
  return isObject(value) && typeof value['toJSON'] === 'function'
}

function problemAt({ path }: Place, what: string): TypeError {
  return new TypeError(`${what} at ${path === '' ? 'the top' : cutPath(path)} is not JSON`)
}

function tooMany(place: Place): TypeError {
  return problemAt(place, `more than ${maxValues} values`)
}

function cutPath(path: string): string {
  return path.length > 200 ? `${path.slice(0, 200)}…` : path
}
