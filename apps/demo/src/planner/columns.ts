import type { z } from 'zod'
import type { loadedTableSchema } from '../tools/definitions.ts'

/** What is known of a loaded table. */
export type Table = z.output<typeof loadedTableSchema>
export type Column = Table['columns'][number]

export function isNumeric({ type }: Column): boolean {
  return type !== 'text'
}

/** A number that adds up, not one that only tells rows apart. */
export function isAmount({ name, type }: Column): boolean {
  const isName = /(?:^|[^a-z])(?:id|nr|no|code|key|year)$|[a-z](?:Id|ID|No)$/i.test(name)
  return type !== 'text' && !isName
}

/** Each row has its own. */
export function namesRows({ distinct, empty }: Column, { rows }: Table): boolean {
  return distinct === rows && empty === 0
}

/** Text in the order year, month, day. Of other orders one cannot be sure. */
export function isDate({ type, values = [], examples }: Column): boolean {
  const texts = [...values, ...examples].map(String)
  const areDates = texts.every((text) => /^\d{4}-\d\d-\d\d(?:$|[T ])/.test(text))
  return type === 'text' && texts.length > 0 && areDates
}
