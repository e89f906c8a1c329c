import { isList, isObject } from '../../internal/json.ts'
import { garbled } from './failures.ts'

/** An object of which nothing is known yet. */
export type Fields = { readonly [key: string]: unknown }

/** The objects of a list that may be missing. Throws a `ModelError` for anything else. */
export function objectsIn(fields: Fields, key: string): readonly Fields[] {
  const value = fields[key] ?? []
  if (!isList(value) || !value.every(isObject)) throw garbled(`${key} is no list of objects`)
  return value
}

/** A text, or nothing where there is none. */
export function textIn(fields: Fields, key: string): string {
  const value = fields[key]
  return typeof value === 'string' ? value : ''
}
