type Absent<Fields> = {
  [Name in keyof Fields]-?: undefined extends Fields[Name] ? Name : never
}[keyof Fields]

/** The fields that are not `undefined`: in events and results, what is not known is absent. */
export function defined<const Fields extends object>(
  fields: Fields,
): Omit<Fields, Absent<Fields>> & {
  readonly [Name in Absent<Fields>]?: Exclude<Fields[Name], undefined>
}
// A loop, because this is done for nearly every event that is folded.
export function defined(fields: { readonly [name: string]: unknown }): object {
  const kept: { [name: string]: unknown } = {}
  for (const name of Object.keys(fields)) if (fields[name] !== undefined) kept[name] = fields[name]
  return kept
}
