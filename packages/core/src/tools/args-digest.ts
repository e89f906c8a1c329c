import { isJsonObject, isList, type Json, type JsonObject } from '../internal/json.ts'

/**
 * What exactly a person approves, as the text whose SHA-256 is the `argsDigest`: a call's id, its tool and its
 * arguments. The order of keys does not count, nor does a field that is `undefined`; anything else that JSON
 * distinguishes does.
 *
 * @example
 * ```ts
 * approvedText('call_1', 'pay', { to: 'Ada', amount: 5 }) // '["call_1","pay",{"amount":5,"to":"Ada"}]'
 * ```
 */
export function approvedText(toolCallId: string, toolName: string, args: JsonObject): string {
  return canonical([toolCallId, toolName, args])
}

/** JSON text with sorted keys. Every string is quoted, so nothing in one can pass for structure. */
function canonical(value: Json): string {
  if (isJsonObject(value)) {
    const fields = Object.entries(value).flatMap(([key, field]) =>
      field === undefined ? [] : [`${JSON.stringify(key)}:${canonical(field)}`],
    )
    return `{${fields.toSorted().join()}}`
  }
  return isList(value) ? `[${value.map(canonical).join()}]` : JSON.stringify(value)
}
