export type ColumnType = 'integer' | 'real' | 'date' | 'text'

/**
 * The type of one field. `decimal_comma`, and `thousands` with commas between them: a number, if all numbers of its column
 * are written so. `unclear_comma`: as `1,234`, which may be either, so another field of its column has to decide.
 */
export type FieldType =
  | ColumnType
  | 'decimal_comma'
  | 'thousands'
  | 'thousands_real'
  | 'unclear_comma'

/** What the commas in the numbers of a column are. */
export type Commas = 'decimal' | 'thousands'

/** The value of a field; `null` if it is empty. */
export type Cell = string | number | null

const integer = /^ *-?(?:0|[1-9]\d{0,15}) *$/
const real = /^ *-?(?:(?:0|[1-9]\d*)?\.\d+(?:e[+-]?\d{1,2})?|(?:0|[1-9]\d*)e[+-]\d{1,2}) *$/i
const comma = /^ *-?(?:0|[1-9]\d*|[1-9]\d{0,2}(?:\.\d{3})+),\d+ *$/
const unclear = /^ *-?[1-9]\d{0,2},\d{3} *$/
const thousands = /^ *-?[1-9]\d{0,2}(?:,\d{3})+(\.\d+)? *$/
const time = String.raw`\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?`
const date = new RegExp(
  String.raw`^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[T ]${time})?$`,
)

/**
 * The narrowest type that stores a text without loss: "007", "+49", "1,000" and integers
 * beyond 2^53 stay text, and so does "12E4", which is more often a code than a number. Exponents of three
 * digits may overflow to infinity, which is no value of a table. A date is ISO text, which sorts by itself: what other
 * forms mean depends on who wrote them.
 */
export function typeOfText(text: string): ColumnType {
  if (integer.test(text)) return Number.isSafeInteger(Number(text)) ? 'integer' : 'text'
  if (real.test(text)) return 'real'
  return date.test(text) ? 'date' : 'text'
}

/** The type of a field in a file whose fields are not separated by commas, so a number may have one. */
export function typeOfField(text: string): FieldType {
  if (unclear.test(text)) return 'unclear_comma'
  return comma.test(text) ? 'decimal_comma' : typeOfCsvField(text)
}

/** The type of a field in a file whose fields are separated by commas: who writes so has no decimal commas. */
export function typeOfCsvField(text: string): FieldType {
  const [whole, decimals] = thousands.exec(text) ?? []
  if (whole === undefined) return typeOfText(text)
  if (decimals !== undefined) return 'thousands_real'
  return typeOfText(plainNumber(whole, 'thousands')) === 'integer' ? 'thousands' : 'text'
}

/** A number with commas, as one with a point: `1.234,5` is 1234.5, and so is `1,234.5`. */
export function plainNumber(text: string, commas: Commas): string {
  return commas === 'decimal'
    ? text.replaceAll('.', '').replace(',', '.')
    : text.replaceAll(',', '')
}

export function typeOfValue(value: string | number): ColumnType {
  if (typeof value === 'string') return date.test(value) ? 'date' : 'text'
  return Number.isSafeInteger(value) ? 'integer' : 'real'
}

export function isNumber(type: ColumnType): boolean {
  return type === 'integer' || type === 'real'
}
