import type { Direction, GroupKey, Measure } from '../tables/request.ts'
import type { ColumnRef } from '../tables/table-info.ts'
import { columnByHints, onlyNumeric } from './column-hints.ts'
import { defaultNumber } from './comparison-filters.ts'
import type { FoundSuperlative } from './found-superlatives.ts'
import { findSuperlatives, numberNear } from './found-superlatives.ts'
import type { FoundMeasure } from './measures.ts'
import { isNumberMention } from './measures.ts'
import type { Head } from './ranking-head.ts'
import { findHead } from './ranking-head.ts'
import { revenueOf } from './revenue.ts'
import type { Scan } from './scan.ts'
import { columnOf, dateColumns, isUsed, mentionAt, namesTable, wordAt } from './scan.ts'
import type { Mention } from './schema-match.ts'
import { moneyWords, quantityWords, questionWords } from './vocabulary.ts'
import { wordsOf } from './words.ts'

export type Ranking =
  | {
      readonly kind: 'groups'
      readonly key: GroupKey
      readonly measure: Measure
      readonly direction: Direction
      readonly limit: number
      readonly single: boolean
    }
  | {
      readonly kind: 'rows'
      readonly column: ColumnRef
      readonly direction: Direction
      readonly limit: number
    }
  | { readonly kind: 'measures'; readonly measures: readonly Measure[]; readonly guessed: boolean }
  /** There is nothing to rank by. */
  | { readonly kind: 'none'; readonly words: readonly FoundSuperlative[] }

/** "top 3 regions by sales", "which ward had the longest average stay", "the oldest patient", "highest price". */
export function findRanking(
  scan: Scan,
  groups: readonly GroupKey[],
  measures: readonly FoundMeasure[],
): Ranking | undefined {
  const found = findSuperlatives(scan)
  const main = found.find((entry) => entry.word !== 'top' && entry.word !== 'bottom') ?? found[0]
  if (main === undefined) return undefined
  const nothing: Ranking = { kind: 'none', words: found }
  if (/^(?:first|to|down|on)$/.test(wordAt(scan, main.end)) && groups[0] !== undefined)
    return sorted(groups[0], sortMeasure(scan, measures), main.direction)
  const limit = numberNear(scan, found)
  const head = findHead(scan, main, limit?.end)
  const single = limit === undefined && !(head?.plural ?? false)
  const count = limit?.value ?? (single ? 1 : 5)
  if (head?.key !== undefined && !isRowName(scan, head.key, main)) {
    const measure = groupMeasure(scan, { main, head, measures })
    if (measure === undefined) return nothing
    return {
      kind: 'groups',
      key: head.key,
      measure,
      direction: main.direction,
      limit: count,
      single,
    }
  }
  const group = groups[0]
  const ranksGroups = group !== undefined && measures.length > 0
  if (ranksGroups)
    return {
      kind: 'groups',
      key: group,
      measure: measures[0]?.measure ?? { name: 'count' },
      direction: main.direction,
      limit: count,
      single,
    }
  if (head === undefined && limit === undefined && !isOfSomeone(scan, main)) {
    const all = found.flatMap((entry) => plainMeasure(scan, entry) ?? [])
    const guessed = !scan.mentions.some((mention) => isNumberMention(scan, mention) !== undefined)
    return all.length > 0 ? { kind: 'measures', measures: all, guessed } : nothing
  }
  const column = metricOf(scan, main, head)
  return column === undefined
    ? nothing
    : { kind: 'rows', column, direction: main.direction, limit: count }
}

export function isRanked(ranking: Ranking | undefined): boolean {
  return ranking !== undefined && ranking.kind !== 'none'
}

/** "the slowest runner", where no table knows runners: the row is wanted, not only its number. */
function isOfSomeone(scan: Scan, { hints, end }: FoundSuperlative): boolean {
  const next = scan.tokens[end]
  return (
    hints.length > 0 &&
    next?.kind === 'word' &&
    mentionAt(scan, end) === undefined &&
    !questionWords.has(next.word)
  )
}

/** "largest first": all groups, in this order. */
function sorted(key: GroupKey, measure: Measure, direction: Direction): Ranking {
  return { kind: 'groups', key, measure, direction, limit: 200, single: false }
}

function sortMeasure(scan: Scan, measures: readonly FoundMeasure[]): Measure {
  const named = measures[0]?.measure ?? revenueOf(scan)
  if (named !== undefined) return named
  const column = scan.mentions
    .map((mention) => isNumberMention(scan, mention))
    .find((ref) => ref !== undefined)
  return column === undefined
    ? { name: 'count' }
    : { name: isAdditive(column) ? 'sum' : 'avg', column }
}

/** Sums make sense for amounts and quantities, not for ages, lengths or unit prices. */
export function isAdditive(ref: ColumnRef): boolean {
  const additive = [
    ...moneyWords.filter((word) => word !== 'price' && word !== 'value' && word !== 'salary'),
    ...quantityWords,
    'count',
    'number',
    'visitor',
    'point',
    'goal',
  ]
  return (
    wordsOf(ref.column.name).some((word) => additive.includes(word)) &&
    !/per|rate|unit.?price/i.test(ref.column.name)
  )
}

/** The head names each row (a patient number, an order id): then rows are ranked, not groups. */
function isRowName(scan: Scan, key: GroupKey, main: FoundSuperlative): boolean {
  if (key.part !== undefined || main.counts === true) return false
  return (
    key.table === scan.table &&
    key.column.distinct >= key.table.rows * 0.95 &&
    metricOf(scan, main, undefined) !== undefined
  )
}

interface GroupAsk {
  readonly main: FoundSuperlative
  readonly head: Head
  readonly measures: readonly FoundMeasure[]
}

function groupMeasure(scan: Scan, { main, head, measures }: GroupAsk): Measure | undefined {
  const explicit = measures.find((entry) => !entry.guessed) ?? measures[0]
  if (explicit !== undefined) return explicit.measure
  if (main.counts === true) return { name: 'count' }
  const mostly = /^(?:most|least|fewest)$/.test(main.word)
  const after = scan.mentions.find(
    (mention) =>
      mention.start >= main.end && mention.start <= main.end + 2 && mention.start !== head.start,
  )
  const number = isNumberMention(scan, after, 0.45)
  if (namesTable(scan, after) && (number === undefined || mostly)) return { name: 'count' }
  const revenue = revenueOf(scan)
  if (revenue !== undefined) return revenue
  const column = number ?? metricOf(scan, main, head)
  if (column !== undefined && main.wantsDate !== true) {
    const summed = main.hints.length === 0 && (mostly || isAdditive(column))
    return { name: summed ? 'sum' : main.direction === 'desc' ? 'max' : 'min', column }
  }
  // Who is the fastest is no question of how often a name occurs.
  if (main.hints.length > 0) return undefined
  const other = columnOf(scan, after, 'category')
  if (other !== undefined && other.score >= 0.5 && after !== undefined && !isUsed(scan, after))
    return { name: 'distinct', column: other }
  const vague = /^(?:best|worst)$/.test(main.word) && wordAt(scan, main.end) !== 'selling'
  return vague ? undefined : { name: 'count' }
}

function metricOf(
  scan: Scan,
  main: FoundSuperlative,
  head: Head | undefined,
): ColumnRef | undefined {
  if (main.wantsDate === true) return dateMetric(scan)
  const hinted = columnByHints(scan, main.hints, onlyNumeric)
  const isFree = (mention: Mention) =>
    mention.start !== head?.start && !(isUsed(scan, mention) && mention.values.length > 0)
  const free = scan.mentions.filter(isFree)
  const after = free.filter((mention) => mention.start >= main.end)
  const numbers = [...after, ...free.filter((mention) => mention.end <= main.at).reverse()].flatMap(
    (mention) => isNumberMention(scan, mention) ?? [],
  )
  const fitting = numbers.find(
    (ref) =>
      main.hints.length === 0 || wordsOf(ref.column.name).some((word) => main.hints.includes(word)),
  )
  if (main.hints.length > 0) return fitting ?? hinted ?? numbers[0]
  if (numbers[0] !== undefined) return numbers[0]
  return head?.key === undefined ? defaultNumber(scan) : undefined
}

function dateMetric(scan: Scan): ColumnRef | undefined {
  const named = scan.mentions
    .map((mention) => columnOf(scan, mention, 'date'))
    .find((ref) => ref !== undefined && ref.score >= 0.5)
  const column = dateColumns(scan.table)[0]
  return named ?? (column === undefined ? undefined : { table: scan.table, column })
}

function plainMeasure(scan: Scan, entry: FoundSuperlative): Measure | undefined {
  const name = entry.direction === 'desc' ? 'max' : 'min'
  const column = metricOf(scan, entry, undefined)
  if (column === undefined) return undefined
  return { name, column: { table: column.table, column: column.column } }
}
