/** Throws a `TypeError` for a field that is neither left out nor a function. */
export function checkFunctions<Name extends string>(
  fields: { readonly [name in Name]?: unknown },
  names: readonly Name[],
): void {
  for (const name of names) if (fields[name] !== undefined) ofType('function', name, fields[name])
}

/** A value of a type of JavaScript. Throws a `TypeError` for any other. */
export function ofType<Value>(type: 'string' | 'function', name: string, value: Value): Value {
  if (typeof value === type) return value
  throw new TypeError(`${name} must be a ${type}.`)
}

/** One of these texts, the first by default. Throws a `TypeError` for any other. */
export function oneOf<const Value extends string>(
  name: string,
  values: readonly [Value, ...Value[]],
  value: Value = values[0],
): Value {
  if (values.includes(value)) return value
  throw new TypeError(`${name} must be '${values.join("' or '")}'; it is '${value}'.`)
}

/** A whole number. Throws a `TypeError` for any other, and for one that is too small. */
export function atLeast(name: string, least: number, value: number): number {
  if (Number.isInteger(value) && value >= least) return value
  throw new TypeError(`${name} must be a whole number of at least ${least}; it is ${value}.`)
}
