/** Freezes plain data, at any depth. What is frozen already is not walked again. */
export function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const field of Object.values(value)) frozen<unknown>(field)
  }
  return value
}
