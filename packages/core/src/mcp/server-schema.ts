import { dereference, type Schema } from '@cfworker/json-schema'
import { hasTooManyValues, isObject } from '../internal/json.ts'
import { jsonSchema } from '../tools/json-schema.ts'
import type { ToolSchema } from '../tools/tool-schema.ts'

/**
 * A schema of a server. The model reads it as the server wrote it. Values are checked only by the parts that take
 * little time: a regular expression may take for ever on a pattern that a hostile server has written, and hold the
 * page. A value that this check refuses does not fit; one that it lets through is checked by the server. Throws a
 * `TypeError` for what is no schema.
 */
export function serverSchema(schema: unknown): ToolSchema {
  if (!isObject(schema)) throw new TypeError('It has no JSON Schema for its input.')
  if (isTooLarge(schema)) {
    throw new TypeError(
      `Its JSON Schema has more than ${maxChars} characters or ${maxValues} values.`,
    )
  }
  const written = jsonSchema(schema)
  const copy: Schema = structuredClone(schema)
  const parts = partsOf(copy)
  if (!parts.some(isSlow)) return written
  for (const part of parts) loosen(part)
  const { validate } = jsonSchema(copy)['~standard']
  return { '~standard': { ...written['~standard'], validate } }
}

/** The longest schema: reading one holds the page for a time that grows with its length. */
const maxChars = 200_000
const maxValues = 5000

function isTooLarge(schema: object): boolean {
  try {
    const text = JSON.stringify(schema)
    return text.length > maxChars || hasTooManyValues(text, maxValues)
  } catch {
    // The schema is nested so deeply that it cannot be written as JSON.
    return true
  }
}

function partsOf(schema: Schema): readonly Schema[] {
  const parts = Object.values(dereference(schema)).filter((part) => typeof part !== 'boolean')
  return [...new Set(parts)]
}

/** Whether a keyword may be slow: a pattern, or `uniqueItems`, for which each item is compared with each other one. */
function isSlow({ pattern, patternProperties, uniqueItems }: Schema): boolean {
  return (pattern ?? patternProperties ?? uniqueItems) !== undefined
}

/**
 * Keywords that would change their meaning when a slow part is taken out: `not` would refuse values that it allowed
 * before.
 */
const untrue = [
  ...(['pattern', 'patternProperties', 'uniqueItems', 'not', 'if', 'then', 'else'] as const),
  ...(['maxContains', 'unevaluatedProperties', 'unevaluatedItems'] as const),
]

/** Removes slow keywords. A value that fits the schema still fits what is left. */
function loosen(part: Schema): void {
  if (part.patternProperties) delete part.additionalProperties
  for (const keyword of untrue) delete part[keyword]
  if (!part.oneOf) return
  part.allOf = [...(part.allOf ?? []), { anyOf: part.oneOf }]
  delete part.oneOf
}
