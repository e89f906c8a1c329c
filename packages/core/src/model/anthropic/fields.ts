import type { Json, JsonObject } from '../../internal/json.ts'
import { isJsonObject } from '../../internal/json.ts'
import { garbled } from '../http/failures.ts'

/** An object in an event. Throws a `ModelError` if there is none. */
export function fieldsIn(fields: JsonObject, key: string): JsonObject {
  const value = fields[key]
  if (value === undefined || !isJsonObject(value)) throw garbled(`${key} is missing`)
  return value
}

/** A text in an event. Throws a `ModelError` if there is none. */
export function textIn(fields: JsonObject, key: string): string {
  return expectText(fields[key], key)
}

export function expectText(value: Json | undefined, name: string): string {
  if (typeof value !== 'string') throw garbled(`${name} is missing`)
  return value
}
