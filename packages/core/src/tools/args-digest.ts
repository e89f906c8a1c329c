import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Json, JsonObject } from '../internal/json.ts'
import { isJsonObject } from '../internal/json.ts'

/**
 * What exactly somebody approves: the SHA-256, as 64 hex digits, of a call's id, its tool and its arguments. The
 * order of keys does not count, nor does a field that is `undefined`; anything else that JSON tells apart does.
 *
 * Synchronous, and the same on a page without a secure context, where the platform's own digest is missing.
 *
 * @example
 * ```ts
 * argsDigest('call_1', 'pay', { to: 'Ada', amount: 5 })
 * ```
 */
export function argsDigest(toolCallId: string, toolName: string, args: JsonObject): string {
  return bytesToHex(sha256(utf8ToBytes(canonical([toolCallId, toolName, args]))))
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

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
