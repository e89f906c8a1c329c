import { isList, isObject, type Json, type JsonObject } from '../internal/json.ts'
import type { OutputFormat } from './port.ts'

/**
 * A schema in the keywords that providers can hold their models to: objects take no other fields, and references are
 * written out. What those keywords cannot express (lengths, patterns, limits) goes into descriptions, because the
 * answer is checked anyway. `null` for a schema that cannot be expressed so: a record, a tuple, a schema for anything
 * at all, or one that contains itself.
 */
export function closedSchema(schema: JsonObject): OutputFormat | null {
  const closing: Closing = { root: schema, refs: [], parts: 0, isStrict: true }
  const closed = closedPart(schema, closing)
  return closed && { schema: closed, isStrict: closing.isStrict }
}

interface Closing {
  readonly root: JsonObject
  /** The references that are being resolved, to find a schema that contains itself. */
  readonly refs: string[]
  parts: number
  isStrict: boolean
}

/** The most parts of a schema with its references written out, which may make it much longer. */
const mostParts = 2_000

/** Keywords that cannot be left out without changing which answers fit. */
const unsayable = [
  ...['allOf', 'not', 'if', 'then', 'else', 'patternProperties', 'propertyNames', 'prefixItems'],
  ...['dependentRequired', 'dependentSchemas', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['contains', 'additionalItems', '$dynamicRef', '$recursiveRef'],
]

function closedPart(part: Json | undefined, closing: Closing): JsonObject | null {
  closing.parts += 1
  if (!isPart(part) || closing.parts > mostParts) return null
  if (unsayable.some((keyword) => part[keyword] !== undefined)) return null
  if (part['$ref'] !== undefined) return closedRef(part, closing)
  const shape = shapeOf(part, closing)
  return shape && { ...shape, ...wordsOf(part) }
}

function isPart(part: Json | undefined): part is JsonObject {
  return isObject(part)
}

function closedRef({ $ref, ...beside }: JsonObject, closing: Closing): JsonObject | null {
  if (typeof $ref !== 'string' || closing.refs.includes($ref)) return null
  closing.refs.push($ref)
  const closed = closedPart(partAt(closing.root, $ref), closing)
  closing.refs.pop()
  return closed && { ...closed, ...wordsOf(beside) }
}

function partAt(root: JsonObject, ref: string): Json | undefined {
  if (!ref.startsWith('#/')) return undefined
  let part: Json | undefined = root
  for (const key of ref.slice(2).split('/')) {
    const name = decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')
    part = isPart(part) && Object.hasOwn(part, name) ? part[name] : undefined
  }
  return part
}

function shapeOf(part: JsonObject, closing: Closing): JsonObject | null {
  const { type, const: only, enum: values, anyOf, oneOf } = part
  if (only !== undefined) return isPlain(only) ? { const: only } : null
  if (values !== undefined) return isList(values) && values.every(isPlain) ? { enum: values } : null
  const choices = anyOf ?? oneOf
  if (choices !== undefined) return closedChoice(choices, closing)
  if (type === 'object') return closedObject(part, closing)
  if (type === 'array') return closedList(part, closing)
  const types = isList(type) ? type : [type]
  return types.every((one) => plainTypes.has(one)) && type !== undefined ? { type } : null
}

const plainTypes: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'null'])

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

function closedChoice(choices: Json, closing: Closing): JsonObject | null {
  if (!isChoices(choices)) return null
  const closed = choices.map((choice) => closedPart(choice, closing))
  return closed.every((choice) => choice !== null) ? { anyOf: closed } : null
}

function isChoices(choices: Json): choices is readonly Json[] {
  return isList(choices) && choices.length > 0
}

function closedObject(part: JsonObject, closing: Closing): JsonObject | null {
  const { properties = {}, required = [], additionalProperties: others } = part
  if (!isPart(properties) || !isList(required)) return null
  // An object that allows fields of any name is a record.
  if (
    isObject(others) &&
    (Object.keys(others).length > 0 || Object.keys(properties).length === 0)
  ) {
    return null
  }
  const fields: [string, Json][] = []
  for (const [name, property] of Object.entries(properties)) {
    const closed = closedPart(property, closing)
    if (!closed) return null
    closing.isStrict &&= required.includes(name)
    fields.push([name, closed])
  }
  const names = fields.map(([name]) => name).filter((name) => required.includes(name))
  return {
    type: 'object',
    properties: Object.fromEntries(fields),
    required: names,
    additionalProperties: false,
  }
}

function closedList({ items }: JsonObject, closing: Closing): JsonObject | null {
  const closed = closedPart(items, closing)
  return closed && { type: 'array', items: closed }
}

/** Keywords that the shape expresses already, or that mean nothing to a model. */
const said: ReadonlySet<string> = new Set([
  ...['type', 'const', 'enum', 'anyOf', 'oneOf', 'properties', 'required', 'items'],
  ...['additionalProperties', 'title', 'description', '$schema', '$id', '$defs', 'definitions'],
  ...['$comment', '~standard'],
])

/** The title and the description of a part, and in the description what else the schema says. */
function wordsOf(part: JsonObject): JsonObject {
  const { title, description } = part
  const others = Object.entries(part).filter(([keyword]) => !said.has(keyword))
  const rules = others.map(([keyword, value]) => `${keyword}: ${JSON.stringify(value)}`).join(', ')
  const words = [typeof description === 'string' ? description : '', rules && `{${rules}}`]
  const text = words.filter((word) => word !== '').join('\n\n')
  return {
    ...(typeof title === 'string' && { title }),
    ...(text !== '' && { description: text }),
  }
}
