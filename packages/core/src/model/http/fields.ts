import { isJsonObject, isList, type Json, type JsonObject } from '../../internal/json.ts'
import { garbled } from '../port.ts'

/** The objects of a list that may be missing. Throws a `ModelError` for anything else. */
export function objectsIn(fields: JsonObject, key: string): readonly JsonObject[] {
  const value = fields[key] ?? []
  if (!isList(value) || !value.every(isJsonObject)) throw garbled(`${key} is no list of objects`)
  return value
}

/** A text, or nothing where there is none. */
export function textIn(fields: JsonObject, key: string): string {
  const value = fields[key]
  return typeof value === 'string' ? value : ''
}

/** An object that has to be there. Throws a `ModelError` if it is not. */
export function expectObject(fields: JsonObject, key: string): JsonObject {
  const value = fields[key]
  if (!isJsonObject(value)) throw garbled(`${key} is missing`)
  return value
}

/** A text that has to be there. Throws a `ModelError` if it is not. */
export function expectText(fields: JsonObject, key: string): string {
  const value: Json | undefined = fields[key]
  if (typeof value !== 'string') throw garbled(`${key} is missing`)
  return value
}
