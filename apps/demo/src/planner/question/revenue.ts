import type { Measure } from '../tables/request.ts'
import type { ColumnRef } from '../tables/table-info.ts'
import { isNumeric } from '../tables/table-info.ts'
import type { Scan } from './scan.ts'
import { moneyWords, quantityWords } from './vocabulary.ts'
import { wordsOf } from './words.ts'

/** A price times a quantity, when the question asks for revenue and no column holds it. */
export function revenueOf(scan: Scan): Measure | undefined {
  if (
    !/\b(?:revenue|sales|turnover|takings|earnings|income|spent|spend|spends|earned?|sold for)\b/.test(
      scan.text.toLowerCase(),
    )
  )
    return undefined
  const numeric = scan.table.columns.filter(isNumeric)
  const has = (words: readonly string[]) =>
    numeric.find((column) => wordsOf(column.name).some((word) => words.includes(word)))
  const ready = has(
    moneyWords.filter(
      (word) => word !== 'price' && word !== 'cost' && word !== 'value' && word !== 'fee',
    ),
  )
  const price = has(['price', 'cost', 'fee'])
  const quantity = has(quantityWords)
  if (ready !== undefined || price === undefined || quantity === undefined) return undefined
  return {
    name: 'sum',
    column: { table: scan.table, column: price },
    times: { table: scan.table, column: quantity },
  }
}

/** "how many lattes did we sell": one row may stand for several of them. */
export function quantityOf(scan: Scan): ColumnRef | undefined {
  if (!/\b(?:sell|sold|selling|bought|purchased)\b/i.test(scan.text)) return undefined
  const column = scan.table.columns.find(
    (candidate) =>
      isNumeric(candidate) && wordsOf(candidate.name).some((word) => quantityWords.includes(word)),
  )
  return column === undefined ? undefined : { table: scan.table, column }
}
