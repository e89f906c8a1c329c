type Absent<Fields> = {
  [Name in keyof Fields]-?: undefined extends Fields[Name] ? Name : never
}[keyof Fields]

/** The fields that are not `undefined`: in events and results, what is not known is absent. */
export function defined<const Fields extends object>(
  fields: Fields,
): Omit<Fields, Absent<Fields>> & {
  readonly [Name in Absent<Fields>]?: Exclude<Fields[Name], undefined>
}
export function defined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
