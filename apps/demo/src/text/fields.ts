export type Fields = Readonly<Record<string, unknown>>

/** The fields of an object; of anything else, none. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

export function textField(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' ? value : undefined
}

export function numberField(fields: Fields, name: string): number | undefined {
  const value = fields[name]
  return typeof value === 'number' ? value : undefined
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
