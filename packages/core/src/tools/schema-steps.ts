import type { Schema } from '@cfworker/json-schema'
import { cutEnd } from '../internal/cut-text.ts'
import { isList, isObject, type Json } from '../internal/json.ts'

/**
 * The steps that the check of one value has left. One step is about the work of the library on one part of a schema.
 */
export interface Steps {
  left: number
  /** Characters of the longest text or name in the value. */
  longest: number
}

/** The steps that every check has. */
const mostSteps = 200_000
/** The steps that a check has more for each value inside the checked one. */
const stepsPerValue = 4
/** What a look at a field or an item costs. */
const stepsPerLook = 1 / 4
/** What a look at one that is missing costs: the library may make an error of it, and keeps that. */
const stepsPerMissing = 1 / 2
/** What each entry costs in a list of parts of a schema, even if it is no part that counts. */
const stepsPerEntry = 1 / 8
/** What a number costs that has to be a multiple of another one: the library counts in integers of any length. */
const stepsPerMultiple = 8
/** How many values to compare with, or characters to quote, cost one step. */
const valuesInStep = 64
/** How many characters to look through cost one step. */
const charsInStep = 250
/** The longest name that is checked, because the library quotes and encodes names. */
const longestName = 10_000
/** Longer texts are not checked for their format, because that may take long. */
const longestFormatted = 10_000

/**
 * Wraps a value so that its check is charged: each look at it takes steps, as each part of the schema does. The library
 * has no limit of its own: parts that refer to two others double their number with each level, and each item of a list
 * may be compared with a hundred thousand values.
 */
export function stepThrough(value: Json | undefined, steps: Steps): unknown {
  steps.longest = 0
  steps.left = mostSteps + stepsPerValue * measure(value, steps)
  return watched(value, steps)
}

/** The number of values in a value, itself included. */
function measure(value: Json | undefined, steps: Steps): number {
  if (typeof value === 'string') steps.longest = Math.max(steps.longest, value.length)
  if (typeof value !== 'object' || value === null) return 1
  let count = 1
  for (const [key, one] of Object.entries(value)) {
    if (key.length > longestName) {
      throw new Error(`a name in the value has more than ${longestName} characters`)
    }
    steps.longest = Math.max(steps.longest, key.length)
    count += measure(one, steps)
  }
  return count
}

function watched(value: unknown, steps: Steps): unknown {
  if (typeof value !== 'object' || value === null) return value
  return new Proxy(value, {
    get: (target, key) => {
      take(stepsPerLook, steps)
      return watched(Reflect.get(target, key), steps)
    },
    // Called to see whether a field is there, and for each name in a list of all names.
    getOwnPropertyDescriptor: (target, key) => {
      const found = Reflect.getOwnPropertyDescriptor(target, key)
      take(found ? stepsPerLook : stepsPerMissing, steps)
      return found
    },
  })
}

function take(count: number, steps: Steps): void {
  steps.left -= count
  if (steps.left < 0) throw tooManySteps()
}

export function tooManySteps(cause?: unknown): Error {
  return new Error('it takes too many steps', { cause })
}

/**
 * Changes a part of a schema, so that it takes its steps each time when the library reads its `type`, and so that errors
 * quote no long list of its values.
 */
export function chargePart(part: Schema, steps: Steps): void {
  const { type, format } = part
  const fixed = stepsOf(part)
  shortenQuotes(part)
  const isText = textual.some((keyword) => part[keyword] !== undefined)
  Object.defineProperty(part, 'type', {
    enumerable: type !== undefined,
    get: () => {
      take(fixed + (isText ? steps.longest / charsInStep : 0), steps)
      return type
    },
  })
  if (format === undefined) return
  Object.defineProperty(part, 'format', {
    enumerable: true,
    // The library's expression for `url`, which no standard names, takes years for thirty characters.
    get: () => (format === 'url' || steps.longest > longestFormatted ? undefined : format),
  })
}

/** The keywords whose check costs the length of a text, or of a name. */
const textual = [
  ...(['minLength', 'maxLength', 'const', 'enum', 'properties', 'additionalProperties'] as const),
  ...(['unevaluatedProperties', 'propertyNames'] as const),
]

/** The cost of all that the library looks at in the part without a look at the value. */
function stepsOf(part: Schema): number {
  const lists: readonly unknown[] = [part.allOf, part.anyOf, part.oneOf, part.prefixItems]
  const entries = lists.reduce<number>((sum, one) => sum + (isList(one) ? one.length : 0), 0)
  const allowed = part.enum?.length ?? 0
  const multiple = part.multipleOf === undefined ? 0 : stepsPerMultiple
  const quoted = [part.enum, part.const].reduce<number>(
    (sum, one: unknown) => sum + (JSON.stringify(one)?.length ?? 0),
    0,
  )
  return 1 + entries * stepsPerEntry + multiple + (allowed + quoted) / valuesInStep
}

const shownValues = 20
const shownChars = 100

/** The library quotes all allowed values as JSON in each error, and a model needs only the start of a long list. */
function shortenQuotes(part: Schema): void {
  const { enum: allowed }: { readonly enum?: unknown[] } = part
  const only: unknown = part.const
  if (allowed) {
    const shown = allowed.slice(0, shownValues).map(shortOf)
    if (allowed.length > shownValues) shown.push('…')
    writeAs(allowed, shown)
  }
  if (isObject(only) || isList(only)) writeAs(only, shortOf(only))
}

function shortOf(value: unknown): unknown {
  const text = JSON.stringify(value)
  return text.length > shownChars ? cutEnd(text, shownChars) : value
}

/** Makes `JSON.stringify` write something else in place of this object. */
function writeAs(object: object, shown: unknown): void {
  Object.defineProperty(object, 'toJSON', { value: () => shown })
}
