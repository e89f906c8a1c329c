/** Plain data that survives a trip through JSON unchanged. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }

/** A JSON object. A field that is `undefined` is a field that is absent. */
export type JsonObject = { readonly [key: string]: Json | undefined }

export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !isList(value)
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return isObject(value)
}

// The library's type is `any`; what JSON text holds is JSON.
const library: (text: string, revive?: typeof withoutSign) => Json = JSON.parse

// A zero with a sign is another number after a trip through JSON. So is what is too small for any other number.
const signedZero = /(^|[[:,\s])-(0(?!\.?\d{0,9}[1-9])|[\d.]+e-)/i

function withoutSign(_: string, value: unknown): unknown {
  return value === 0 ? 0 : value
}

/** Reads JSON text. Throws a `SyntaxError` for anything else. */
export function parseJson(text: string): Json {
  return library(text, signedZero.test(text) ? withoutSign : undefined)
}

/** The value of JSON text, or `undefined` for any other text. */
export function tryJson(text: string): Json | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** The most values in one JSON text: a page should not read more at once. */
export const mostValues = 50_000

const quote = 0x22
const backslash = 0x5c

/** Whether JSON text has more than `most` values. Counting them takes far less time than reading them. */
export function hasTooManyValues(text: string, most: number = mostValues): boolean {
  let left = most
  let isString = false
  const isPlain = !text.includes('\\')
  for (let at = 0; at < text.length && left >= 0; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) isString = !isString
    else if (isString) {
      // A search for each quote would take longer where a string is full of them. None: the end is beyond the text.
      if (isPlain) at = (text.indexOf('"', at) >>> 0) - 1
      else if (code === backslash) at += 1
    }
    // A comma, or what opens a list or an object.
    else if (code === 0x2c || code === 0x5b || code === 0x7b) left -= 1
  }
  return left < 0
}

/**
 * Any value as plain JSON, by the rules of `JSON.stringify`; what JSON cannot hold becomes `null`. Throws on cycles and
 * BigInt.
 */
export function toJson(value: unknown): Json {
  const text: string | undefined = JSON.stringify(value)
  return text === undefined ? null : parseJson(text)
}
