import { textOf } from './batch.ts'

export type ColumnType = 'integer' | 'real' | 'text'

/** What one field looks like. A column takes the widest kind of its fields. */
export const fieldKind = { empty: 0, integer: 1, real: 2, text: 3 } as const
export type FieldKind = (typeof fieldKind)[keyof typeof fieldKind]

const space = 0x20
const minus = 0x2d
const plus = 0x2b
const dot = 0x2e
const zero = 0x30
const nine = 0x39
// The lower case of a letter, in ASCII.
const lowerCase = 0x20
const letterE = 0x65

/**
 * Says whether a field is a number that can be stored as one and lose nothing that matters: "007", "+49",
 * "1,000" and integers beyond 2^53 stay text, and so does "12E4", which is more often a code than a number.
 */
export function kindOf(bytes: Uint8Array, from: number, to: number): FieldKind {
  let at = from
  let end = to
  while (at < end && bytes[at] === space) at++
  while (end > at && bytes[end - 1] === space) end--
  if (at === end) return fieldKind.empty
  if (bytes[at] === minus) at++

  const whole = at
  while (at < end && isDigit(bytes[at])) at++
  const wholeDigits = at - whole
  if (wholeDigits > 1 && bytes[whole] === zero) return fieldKind.text
  if (at === end) return integerKind(bytes, whole, end)
  if (bytes[at] !== dot) {
    return wholeDigits > 0 ? exponentKind(bytes, { at, end, bare: true }) : fieldKind.text
  }
  const fraction = ++at
  while (at < end && isDigit(bytes[at])) at++
  if (at === fraction) return fieldKind.text
  return at === end ? fieldKind.real : exponentKind(bytes, { at, end, bare: false })
}

/** The value of a field that `kindOf` called a number. */
export function numberOf(bytes: Uint8Array, from: number, to: number): number {
  let mantissa = 0
  let digits = 0
  let scale = 0
  let point = false
  let negative = false
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0
    if (byte >= zero && byte <= nine) {
      mantissa = mantissa * 10 + byte - zero
      digits++
      if (point) scale++
    } else if (byte === dot) point = true
    else if (byte === minus && digits === 0 && !point) negative = true
    else if (byte !== space) return Number(textOf(bytes, from, to))
  }
  // One exact integer divided by an exact power of ten is rounded once, as Number() does it.
  if (digits > 15 && (point || mantissa > Number.MAX_SAFE_INTEGER)) {
    return Number(textOf(bytes, from, to))
  }
  const value = scale === 0 ? mantissa : mantissa / (powersOfTen[scale] ?? Number.NaN)
  return negative ? -value : value
}

const powersOfTen = Array.from({ length: 16 }, (_, power) => 10 ** power)

function integerKind(bytes: Uint8Array, start: number, end: number): FieldKind {
  const digits = end - start
  if (digits === 0 || digits > 16) return fieldKind.text
  if (digits < 16 || numberOf(bytes, start, end) <= Number.MAX_SAFE_INTEGER) {
    return fieldKind.integer
  }
  return fieldKind.text
}

interface ExponentRange {
  readonly at: number
  readonly end: number
  /** No fraction before it. Then only an exponent with a sign makes it a number. */
  readonly bare: boolean
}

function exponentKind(bytes: Uint8Array, { at, end, bare }: ExponentRange): FieldKind {
  if (((bytes[at] ?? 0) | lowerCase) !== letterE) return fieldKind.text
  let digit = at + 1
  const signed = bytes[digit] === minus || bytes[digit] === plus
  if (signed) digit++
  else if (bare) return fieldKind.text
  const digits = end - digit
  // Three digits may overflow to infinity, which is no value of a table.
  if (digits < 1 || digits > 2) return fieldKind.text
  for (; digit < end; digit++) if (!isDigit(bytes[digit])) return fieldKind.text
  return fieldKind.real
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= nine
}
