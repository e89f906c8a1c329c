export type ColumnType = 'integer' | 'real' | 'text'

/** The value of a field; `null` if it is empty. */
export type Cell = string | number | null

const integer = /^ *-?(?:0|[1-9]\d{0,15}) *$/
const real = /^ *-?(?:(?:0|[1-9]\d*)?\.\d+(?:e[+-]?\d{1,2})?|(?:0|[1-9]\d*)e[+-]\d{1,2}) *$/i

/**
 * The narrowest type that stores a text without loss: "007", "+49", "1,000" and integers
 * beyond 2^53 stay text, and so does "12E4", which is more often a code than a number. Exponents of three
 * digits may overflow to infinity, which is no value of a table.
 */
export function typeOfText(text: string): ColumnType {
  if (integer.test(text)) return Number.isSafeInteger(Number(text)) ? 'integer' : 'text'
  return real.test(text) ? 'real' : 'text'
}

export function typeOfValue(value: string | number): ColumnType {
  if (typeof value === 'string') return 'text'
  return Number.isSafeInteger(value) ? 'integer' : 'real'
}
