/** Rows as CSV, for a spreadsheet. */
export function toCsv(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(toField).join(',')}\r\n`).join('')
}

function toField(value: string | number | null): string {
  const text = String(value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
