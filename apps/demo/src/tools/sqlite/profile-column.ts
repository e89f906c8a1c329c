import type { Database } from '@sqlite.org/sqlite-wasm'
import type { ColumnProfile } from '../definitions.ts'
import { isNumber } from '../table/cell-type.ts'
import { quoteName } from '../table/names.ts'
import type { TypedColumn } from '../table/type-counter.ts'

const mostDistinct = 10_000
const mostValues = 30
const mostExamples = 3
const longestExample = 60

export function profileColumn(db: Database, table: string, typed: TypedColumn): ColumnProfile {
  const { name, type } = typed
  const column = quoteName(name)
  const from = `FROM ${quoteName(table)}`
  const [empty = 0, min, max] =
    db.selectArray(`SELECT count(*) - count(${column}), min(${column}), max(${column}) ${from}`) ??
    []
  const distinct = `SELECT DISTINCT ${column} ${from} WHERE ${column} IS NOT NULL LIMIT`
  const first = db
    .selectValues(`${distinct} ${mostValues + 1}`)
    .filter((value) => typeof value === 'string' || typeof value === 'number')
  const texts = first.map(String)
  return {
    name,
    type,
    empty: Number(empty),
    distinct:
      first.length <= mostValues
        ? first.length
        : Number(db.selectValue(`SELECT count(*) FROM (${distinct} ${mostDistinct})`)),
    ...(type === 'text' && isShortList(texts) && { values: texts.toSorted() }),
    examples: first.slice(0, mostExamples).map(shorten),
    ...(isNumber(type) && { min: Number(min), max: Number(max) }),
    ...(type === 'date' && { min: String(min), max: String(max) }),
  }
}

/** Whether there are few values, and all are short, so that the model can read them. */
function isShortList(values: readonly string[]): boolean {
  return values.length <= mostValues && values.every((value) => value.length <= longestExample)
}

function shorten(value: string | number): string | number {
  if (typeof value === 'number' || value.length <= longestExample) return value
  return `${value.slice(0, longestExample)}…`
}
