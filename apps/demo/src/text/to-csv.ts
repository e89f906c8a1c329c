/**
 * Rows as CSV, for a spreadsheet. A text that a spreadsheet would run as a formula begins with an apostrophe there: cells
 * come from files and answers that may be hostile, and a formula can send the rest of the table away.
 */
export function toCsv(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(toField).join(',')}\r\n`).join('')
}

function toField(value: string | number | null): string {
  const text = isFormula(value) ? `'${value}` : String(value ?? '')
  // A semicolon is quoted as well: in some countries it ends a field.
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The wide signs are those of East Asian keyboards. */
const formulaStart = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u
const plainNumber = /^[+-]?(\d+([.,]\d+)*|\.\d+)(e[+-]?\d+)?\s*%?$/i

function isFormula(value: string | number | null): value is string {
  return typeof value === 'string' && formulaStart.test(value) && !plainNumber.test(value)
}
