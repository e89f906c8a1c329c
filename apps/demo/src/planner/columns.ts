import type { z } from 'zod'
import type { loadedTableSchema } from '../tools/definitions.ts'

/** What is known of a loaded table. */
export type Table = z.output<typeof loadedTableSchema>
export type Column = Table['columns'][number]

export function isNumeric({ type }: Column): boolean {
  return type !== 'text'
}

/** A number that adds up, not one that only tells rows apart or says a year. */
export function isAmount(column: Column, table: Table): boolean {
  const { name, type, min = 0, max = 0 } = column
  const isName = /(?:^|[^a-z])(?:id|nr|no|code|key|year.*)$|[a-z](?:Id|ID|No)$/i.test(name)
  const isSerial = type === 'integer' && namesRows(column, table) && max - min < table.rows * 1.5
  return type !== 'text' && !isName && !(isSerial && table.rows > 9)
}

/** Each row has its own. */
export function namesRows({ distinct, empty }: Column, { rows }: Table): boolean {
  return distinct === rows && empty === 0
}

export function isDate(column: Column): boolean {
  return dateFormOf(column) !== undefined
}

/** Where year, month and day stand in the dates of a column. Undefined where it has none, or not surely. */
export function dateFormOf({ type, values = [], examples }: Column) {
  const texts = type === 'text' ? [...values, ...examples].map(String) : []
  const areAll = (form: RegExp) => texts.length > 0 && texts.every((text) => form.test(text))
  const [iso, dayFirst, monthFirst] = [
    [1, 6, 9],
    [7, 4, 1],
    [7, 1, 4],
  ] as const
  if (areAll(/^\d{4}-\d\d-\d\d(?:$|[T ])/)) return iso
  if (!areAll(/^\d\d([./])\d\d\1\d{4}/)) return undefined
  if (texts.some((text) => Number(text.slice(0, 2)) > 12 || text[2] === '.')) return dayFirst
  return texts.some((text) => Number(text.slice(3, 5)) > 12) ? monthFirst : undefined
}
