import type { Json, JsonObject } from '@offthread/core'

// The library's type is `any`; what JSON text holds is JSON.
export const parseJson: (text: string) => Json = JSON.parse

export function isJsonObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
