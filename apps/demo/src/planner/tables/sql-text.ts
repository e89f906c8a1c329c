export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

export function quoteValue(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
}

/** A LIKE pattern with `%` and `_` of the text taken literally. */
export function likePattern(text: string, place: 'contains' | 'starts' | 'ends'): string {
  const plain = text.replace(/[\\%_]/g, (mark) => `\\${mark}`)
  const before = place === 'starts' ? '' : '%'
  const after = place === 'ends' ? '' : '%'
  const suffix = plain === text ? '' : " ESCAPE '\\'"
  return `LIKE ${quoteValue(`${before}${plain}${after}`)}${suffix}`
}
