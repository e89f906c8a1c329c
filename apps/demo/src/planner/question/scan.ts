import type { ColumnInfo, ColumnRef, TableInfo } from '../tables/table-info.ts'
import { isCategory, isDate, isIdentifier, isNumeric } from '../tables/table-info.ts'
import type { ColumnOption, Mention } from './schema-match.ts'
import type { Token } from './words.ts'

/** One clause being read. The rules mark the words they have understood, so that no word counts twice. */
export interface Scan {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly mentions: readonly Mention[]
  readonly tables: readonly TableInfo[]
  /** The one the question is about. */
  readonly table: TableInfo
  /** The main table first, then those that can be joined to it. */
  readonly reach: readonly TableInfo[]
  readonly used: Set<number>
}

export type ColumnWish = 'number' | 'category' | 'date' | 'any'

export function wordAt(scan: Scan, index: number): string {
  return scan.tokens[index]?.word ?? ''
}

/** How many tokens the phrase covers at this place; 0 when it is not there. */
function phraseAt(scan: Scan, index: number, phrase: string): number {
  const words = phrase.split(' ')
  return words.every((word, offset) => wordAt(scan, index + offset) === word) ? words.length : 0
}

/** The longest of the phrases that stands at this place. */
export function longestPhraseAt(
  scan: Scan,
  index: number,
  phrases: readonly string[],
): { readonly phrase: string; readonly length: number } | undefined {
  let best: { readonly phrase: string; readonly length: number } | undefined
  for (const phrase of phrases) {
    const length = phraseAt(scan, index, phrase)
    if (length > (best?.length ?? 0)) best = { phrase, length }
  }
  return best
}

export function take(scan: Scan, start: number, end: number): void {
  for (let index = start; index < end; index++) scan.used.add(index)
}

export function isUsed(scan: Scan, mention: Mention): boolean {
  return scan.used.has(mention.start)
}

export function mentionAt(scan: Scan, index: number): Mention | undefined {
  return scan.mentions.find((mention) => mention.start <= index && index < mention.end)
}

/** The column a mention means, given what kind of column is wanted here. */
export function columnOf(
  scan: Scan,
  mention: Mention | undefined,
  wish: ColumnWish = 'any',
): ColumnOption | undefined {
  if (mention === undefined) return undefined
  const options = mention.columns.filter(
    (option) => scan.reach.includes(option.table) && fits(option, wish),
  )
  const best = options[0]
  if (best === undefined) return undefined
  // Among equally good names the main table's column wins, and one that is no bare identifier.
  const equals = options.filter((option) => option.score > best.score - 0.02)
  return (
    equals.find(
      (option) => option.table === scan.table && !isIdentifier(option.table, option.column),
    ) ??
    equals.find((option) => option.table === scan.table) ??
    best
  )
}

export function namesTable(scan: Scan, mention: Mention | undefined): boolean {
  if (mention === undefined) return false
  const column = columnOf(scan, mention)
  // The noun of a key that is different in every row (`order_id`) names the row too.
  if (
    column !== undefined &&
    column.table === scan.table &&
    isIdentifier(column.table, column.column) &&
    column.column.distinct >= scan.table.rows
  )
    return column.score < 0.99
  const table = mention.tables.find((option) => option.table === scan.table)
  if (table === undefined) return false
  return table.score + 0.001 >= (column?.score ?? 0)
}

export function numericColumns(table: TableInfo): readonly ColumnInfo[] {
  return table.columns.filter((column) => isNumeric(column) && !isIdentifier(table, column))
}

export function dateColumns(table: TableInfo): readonly ColumnInfo[] {
  return table.columns.filter(isDate)
}

export function sameColumn(left: ColumnRef, right: ColumnRef): boolean {
  return left.table.table === right.table.table && left.column.name === right.column.name
}

function fits(ref: ColumnRef, wish: ColumnWish): boolean {
  if (wish === 'number') return isNumeric(ref.column)
  if (wish === 'date') return isDate(ref.column)
  if (wish === 'category') return isCategory(ref.table, ref.column)
  return true
}
