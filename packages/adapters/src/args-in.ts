import type { Json, JsonObject } from '@offthread/core'

/** The arguments of a call; `{}` where the model wrote no JSON object, which the result of the call then says. */
export function argsIn(argsText: string): JsonObject {
  try {
    const args = parse(argsText)
    return isJsonObject(args) ? args : {}
  } catch {
    return {}
  }
}

// The library's type is `any`; what JSON text holds is JSON.
const parse: (text: string) => Json = JSON.parse

function isJsonObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
