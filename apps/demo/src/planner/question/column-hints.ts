import type { ColumnRef } from '../tables/table-info.ts'
import { isNumeric } from '../tables/table-info.ts'
import type { Scan } from './scan.ts'
import type { Superlative } from './superlatives.ts'
import { stemOf, wordsOf } from './words.ts'

/** The first column of the reachable tables whose name has one of the hinted words. */
export function columnByHints(
  scan: Scan,
  hints: readonly string[],
  wish: (column: ColumnRef) => boolean,
): ColumnRef | undefined {
  for (const hint of hints) {
    for (const table of scan.reach) {
      for (const column of table.columns) {
        const ref = { table, column }
        if (wish(ref) && wordsOf(column.name).includes(stemOf(hint))) return ref
      }
    }
  }
  return undefined
}

export function onlyNumeric(ref: ColumnRef): boolean {
  return isNumeric(ref.column)
}

/** Of the two meanings of a word like "fastest", the one that the columns allow; a column that is named decides. */
export function settleMeaning(scan: Scan, meaning: Superlative): Superlative {
  const { otherwise } = meaning
  if (otherwise === undefined) return meaning
  const named = scan.mentions.flatMap((mention) =>
    mention.columns.filter((option) => option.score >= 0.6 && onlyNumeric(option)),
  )
  const isNamed = (hints: readonly string[]) =>
    named.some(({ column }) => wordsOf(column.name).some((word) => hints.includes(word)))
  const isThere = (hints: readonly string[]) =>
    columnByHints(scan, hints, onlyNumeric) !== undefined
  const takesOther =
    !isNamed(meaning.hints) &&
    (isNamed(otherwise.hints) || (!isThere(meaning.hints) && isThere(otherwise.hints)))
  return takesOther ? { ...meaning, ...otherwise } : meaning
}
