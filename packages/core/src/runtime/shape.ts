import { isList, isObject } from '../internal/json.ts'
import { isPlainObject } from '../internal/read-json.ts'
import { isTime } from '../storage/time-of.ts'

/**
 * Says what is wrong with a value, with the path to the field, as in `.content[0].text must be a text`; `null` if it is
 * right. Nearly all values are right, so the text is built only for a wrong one.
 */
export type Shape = (value: unknown) => string | null

/** The longest id or name that is accepted. */
const maxIdChars = 1000
/**
 * The deepest data: code that walks deeper data may break. No agent writes deeper data than the arguments of a call, which
 * once might have 500 levels.
 */
export const maxDepth = 600
/**
 * More values than any event has. A value that stands in many places counts in each, so that a few bytes may make 2^60
 * values.
 */
const maxValues = 5_000_000

export const text: Shape = (value) => (typeof value === 'string' ? null : ' must be a text')
export const number: Shape = (value) => (Number.isFinite(value) ? null : ' must be a number')
export const count: Shape = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? null : ' must be a whole number'
/** A time in milliseconds that a date can have: any other would break the code that shows it. */
export const time: Shape = (value) =>
  number(value) ?? (isTime(value) ? null : ' must be a time that a date can have')
export const flag: Shape = (value) => (typeof value === 'boolean' ? null : ' must be true or false')
export const yes: Shape = (value) => (value === true ? null : ' must be true')
export const id: Shape = (value) =>
  typeof value === 'string' && value.length <= maxIdChars
    ? null
    : ` must be a text of at most ${maxIdChars} characters`
/** Plain JSON, limited only in its depth and in its number of values. */
export const json: Shape = ofKind(`JSON of at most ${maxDepth} levels`, isShallowJson)
export const jsonObject: Shape = (value) =>
  isObject(value) ? json(value) : ' must be a JSON object'

/** One of these words. */
export function word(...words: readonly string[]): Shape {
  return ofKind(
    `one of ${words.join(', ')}`,
    (value) => typeof value === 'string' && words.includes(value),
  )
}

export function orNull(shape: Shape): Shape {
  return (value) => (value === null ? null : shape(value))
}

/** The shape, or nothing. */
export function maybe(shape: Shape): Shape {
  return (value) => (value === undefined ? null : shape(value))
}

/** A list in which each item has the shape. */
export function listOf(shape: Shape): Shape {
  return (value) => {
    if (!isList(value)) return ' must be a list'
    for (let at = 0; at < value.length; at += 1) {
      const problem = shape(value[at])
      if (problem !== null) return `[${at}]${problem}`
    }
    return null
  }
}

/** An object whose fields have these shapes. It may have others: what a later version adds is kept as it is. */
export function fields(shapes: Readonly<Record<string, Shape>>): Shape {
  // Kept as objects and not as pairs, because taking pairs apart is slower.
  const known = Object.entries(shapes).map(([name, shape]) => ({ name, shape }))
  return (value) => {
    if (!isObject(value)) return ' must be an object'
    if (Object.hasOwn(value, '__proto__')) return ' must have no field __proto__'
    for (const { name, shape } of known) {
      const problem = shape(value[name])
      if (problem !== null) return `.${name}${problem}`
    }
    return null
  }
}

/** An object that has one of several shapes, named by the text in one of its fields. */
export function oneOf(tag: string, shapes: Readonly<Record<string, Shape>>): Shape {
  const byTag = new Map(Object.entries(shapes))
  return (value) => {
    const name = isObject(value) ? value[tag] : undefined
    const shape = typeof name === 'string' ? byTag.get(name) : undefined
    return shape ? shape(value) : `.${tag} must be one of ${[...byTag.keys()].join(', ')}`
  }
}

function ofKind(words: string, holds: (value: unknown) => boolean): Shape {
  const problem = ` must be ${words}`
  return (value) => (holds(value) ? null : problem)
}

// Works without recursion, because deep data would overflow the stack.
function isShallowJson(value: unknown): boolean {
  let level: readonly unknown[] = isPlain(value) ? [] : [value]
  let left = maxValues
  for (let depth = 0; level.length > 0; depth += 1) {
    left -= level.length
    if (depth >= maxDepth || left < 0) return false
    const next: unknown[] = []
    for (const one of level) {
      if (typeof one !== 'object' || one === null) return false
      if (!isList(one) && !isPlainObject(one)) return false
      for (const inner of Object.values(one)) {
        if (inner !== undefined && !isPlain(inner)) next.push(inner)
      }
    }
    level = next
  }
  return true
}

function isPlain(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  return Number.isFinite(value)
}
