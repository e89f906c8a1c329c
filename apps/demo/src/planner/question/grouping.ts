import type { DatePart, GroupKey } from '../tables/request.ts'
import { isCategory, isDate, isIdentifier, isNumeric } from '../tables/table-info.ts'
import type { Scan } from './scan.ts'
import {
  columnOf,
  dateColumns,
  isUsed,
  longestPhraseAt,
  mentionAt,
  namesTable,
  take,
  wordAt,
} from './scan.ts'

const openings = [
  'per',
  'by',
  'each',
  'every',
  'for each',
  'for every',
  'in each',
  'in every',
  'at each',
  'at every',
  'within each',
  'of each',
  'from each',
  'broken down by',
  'broken down per',
  'split by',
  'split up by',
  'split per',
  'grouped by',
  'group by',
  'across',
  'across the',
  'across all',
  'for all',
  'for the different',
  'for the various',
  'breakdown by',
  'over the',
  'by each',
  'depending on',
  'according to',
  'for every single',
  'among the',
  'rank',
  'rank the',
  'sort the',
  'in the different',
  'in the various',
]

/** "per region", "by month", "for each ward", "broken down by sex and age group". */
export function findGroups(scan: Scan): readonly GroupKey[] {
  const keys: GroupKey[] = []
  for (let index = 0; index < scan.tokens.length; index++) {
    const opening = longestPhraseAt(scan, index, openings)
    if (opening === undefined) {
      const adverb = adverbPart(scan, index)
      if (adverb !== undefined) keys.push(adverb)
      continue
    }
    let place = skipArticle(scan, index + opening.length)
    for (;;) {
      const key = keyAt(scan, place, opening.phrase)
      if (key === undefined) break
      keys.push(key.key)
      take(scan, index, key.end)
      index = key.end - 1
      if (!/^(?:and|,)$/.test(wordAt(scan, key.end))) break
      place = skipArticle(scan, key.end + 1)
    }
  }
  return keys.filter(
    (key, at) =>
      keys.findIndex((other) => other.column === key.column && other.part === key.part) === at,
  )
}

/** `month` in "per month" or "which month", when the table has a date to take it from. */
export function datePartAt(
  scan: Scan,
  index: number,
): { readonly key: GroupKey; readonly end: number } | undefined {
  const part = partOf(scan, index)
  if (part === undefined) return undefined
  const mention = mentionAt(scan, index)
  const own = columnOf(scan, mention)
  if (own !== undefined && own.score >= 0.7 && !isDate(own.column)) return undefined
  const end = part.end
  const ofDate = /^(?:of|in)$/.test(wordAt(scan, end))
    ? mentionAt(scan, skipArticle(scan, end + 1))
    : mentionAt(scan, index - 1)
  const named = columnOf(scan, ofDate, 'date') ?? namedDate(scan)
  if (named !== undefined)
    return {
      key: { table: named.table, column: named.column, part: part.part },
      end:
        ofDate !== undefined && ofDate.start >= end && columnOf(scan, ofDate, 'date') !== undefined
          ? ofDate.end
          : end,
    }
  for (const table of scan.reach) {
    const column = dateColumns(table)[0]
    if (column !== undefined) return { key: { table, column, part: part.part }, end }
  }
  return undefined
}

function keyAt(
  scan: Scan,
  place: number,
  opening: string,
): { readonly key: GroupKey; readonly end: number } | undefined {
  const part = datePartAt(scan, place)
  if (part !== undefined) return part
  const mention = mentionAt(scan, place)
  if (mention === undefined || isUsed(scan, mention)) return undefined
  const column = columnOf(scan, mention, 'category') ?? columnOf(scan, mention)
  if (
    column === undefined ||
    column.score < 0.4 ||
    (opening === 'by' && isRestricted(scan, mention.end))
  )
    return undefined
  const value = mention.values[0]
  if (value !== undefined && value.score > column.score) return undefined
  if (namesTable(scan, mention) && !mention.columns.some((option) => option.score > 0.6))
    return undefined
  const numeric = isNumeric(column.column) && !isCategory(column.table, column.column)
  const few =
    column.column.distinct <= 40 &&
    column.column.type === 'integer' &&
    !isIdentifier(column.table, column.column)
  // "top 5 by amount" orders, it does not group; "per cup size" may group by a small number.
  if (numeric && !(few && opening !== 'by')) return undefined
  const key = isDate(column.column)
    ? { table: column.table, column: column.column, part: 'day' as const }
    : { table: column.table, column: column.column }
  return { key, end: mention.end }
}

/** "by members under 18", "by people who …": these say which rows, not how to group. */
function isRestricted(scan: Scan, at: number): boolean {
  return /^(?:who|whose|that|which|with|without|aged|called|named|under|over|above|below|older|younger|between|less|more)$/.test(
    wordAt(scan, at),
  )
}

const parts: Readonly<Record<string, DatePart>> = {
  year: 'year',
  quarter: 'quarter',
  month: 'month',
  day: 'day',
  date: 'day',
  weekday: 'weekday',
  hour: 'hour',
}
const adverbs: Readonly<Record<string, DatePart>> = {
  yearly: 'year',
  annually: 'year',
  monthly: 'month',
  daily: 'day',
  quarterly: 'quarter',
  hourly: 'hour',
}

function partOf(
  scan: Scan,
  index: number,
): { readonly part: DatePart; readonly end: number } | undefined {
  const rest = [0, 1, 2, 3].map((offset) => wordAt(scan, index + offset)).join(' ')
  const weekday = /^(?:day of (?:the )?week|week day)/.exec(rest)
  if (weekday !== null) return { part: 'weekday', end: index + weekday[0].split(' ').length }
  const stem = scan.tokens[index]?.stem ?? ''
  const calendar = stem === 'calendar' ? 1 : 0
  const part = parts[scan.tokens[index + calendar]?.stem ?? '']
  return part === undefined ? undefined : { part, end: index + calendar + 1 }
}

function adverbPart(scan: Scan, index: number): GroupKey | undefined {
  const part = adverbs[wordAt(scan, index)]
  const ref = part === undefined ? undefined : (namedDate(scan) ?? firstDate(scan))
  return part === undefined || ref === undefined
    ? undefined
    : { table: ref.table, column: ref.column, part }
}

function namedDate(scan: Scan) {
  return scan.mentions
    .map((mention) => columnOf(scan, mention, 'date'))
    .find((ref) => ref !== undefined && ref.score >= 0.5)
}

function firstDate(scan: Scan) {
  const table = scan.reach.find((candidate) => dateColumns(candidate).length > 0)
  const column = table === undefined ? undefined : dateColumns(table)[0]
  return table === undefined || column === undefined ? undefined : { table, column }
}

function skipArticle(scan: Scan, at: number): number {
  let index = at
  while (
    /^(?:the|a|an|of|single|individual|different|calendar)$/.test(wordAt(scan, index)) &&
    wordAt(scan, index) !== 'calendar'
  )
    index++
  return index
}
