import type { Json } from './json.ts'

/** Freezes plain data, at any depth. */
export function frozen<Value extends Json | undefined>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    const fields: readonly (Json | undefined)[] = Object.values(value)
    for (const field of fields) frozen(field)
  }
  return value
}
