/** Freezes plain data, at any depth. What is frozen already is not walked again. */
export function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    // Its values as a list would take three times as long, where there are many; what it inherits is not its own.
    for (const key in value) if (Object.hasOwn(value, key)) frozen(value[key])
  }
  return value
}
