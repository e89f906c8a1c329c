import { columnByHints, defaultNumber, onlyNumeric } from './comparison-filters.ts'
import { datePartAt } from './grouping.ts'
import type { FoundMeasure } from './measures.ts'
import { isNumberMention, revenueOf } from './measures.ts'
import type { Direction, GroupKey, Measure } from './request.ts'
import type { Scan } from './scan.ts'
import { columnOf, dateColumns, isUsed, mentionAt, namesTable, use, wordAt } from './scan.ts'
import type { Mention } from './schema-match.ts'
import type { Superlative } from './superlatives.ts'
import { adjectives, superlatives } from './superlatives.ts'
import type { ColumnRef } from './table-info.ts'
import { moneyWords, personWords, quantityWords } from './vocabulary.ts'
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

interface FoundSuperlative extends Superlative {
  readonly at: number
  readonly end: number
  readonly word: string
}

interface Head {
  readonly key?: GroupKey
  /** The rows themselves are ranked. */
  readonly rows: boolean
  readonly start: number
  readonly end: number
  readonly plural: boolean
}

/** "top 3 regions by sales", "which ward had the longest average stay", "the oldest patient", "highest price". */
export function findRanking(
  scan: Scan,
  groups: readonly GroupKey[],
  measures: readonly FoundMeasure[],
): Ranking | undefined {
  const found = findSuperlatives(scan)
  const main = found.find((entry) => entry.word !== 'top' && entry.word !== 'bottom') ?? found[0]
  if (main === undefined) return undefined
  if (/^(?:first|to|down|on)$/.test(wordAt(scan, main.end)) && groups[0] !== undefined)
    return sorted(groups[0], measures, main.direction)
  const limit = numberNear(scan, found)
  const head = findHead(scan, main, limit?.end)
  const single = limit === undefined && !(head?.plural ?? false)
  const count = limit?.value ?? (single ? 1 : 5)
  if (head?.key !== undefined && !isRowName(scan, head.key, main)) {
    const measure = groupMeasure(scan, { main, head, measures })
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
  if (head === undefined && limit === undefined) {
    const all = found.flatMap((entry) => plainMeasure(scan, entry) ?? [])
    const guessed = !scan.mentions.some((mention) => isNumberMention(scan, mention) !== undefined)
    return all.length > 0 ? { kind: 'measures', measures: all, guessed } : undefined
  }
  const column = metricOf(scan, main, head)
  return column === undefined
    ? undefined
    : { kind: 'rows', column, direction: main.direction, limit: count }
}

/** "largest first": all groups, in this order. */
function sorted(key: GroupKey, measures: readonly FoundMeasure[], direction: Direction): Ranking {
  return {
    kind: 'groups',
    key,
    measure: measures[0]?.measure ?? { name: 'count' },
    direction,
    limit: 200,
    single: false,
  }
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
    'chick',
    'egg',
    'cup',
  ]
  return (
    wordsOf(ref.column.name).some((word) => additive.includes(word)) &&
    !/per|rate|unit.?price/i.test(ref.column.name)
  )
}

function findSuperlatives(scan: Scan): readonly FoundSuperlative[] {
  const found: FoundSuperlative[] = []
  for (let index = 0; index < scan.tokens.length; index++) {
    const word = wordAt(scan, index)
    const meaning = superlatives.get(word)
    if (meaning === undefined || scan.used.has(index) || isColumnName(scan, index)) continue
    const adjective =
      word === 'most' || word === 'least' ? adjectives.get(wordAt(scan, index + 1)) : undefined
    const end = adjective === undefined ? index + 1 : index + 2
    if (/^(?:most|least)$/.test(word) && wordAt(scan, index + 1) === 'of') continue
    found.push({ ...meaning, ...adjective, at: index, end, word })
    use(scan, index, end)
  }
  return found
}

/** `first` in "first name" belongs to a column. */
function isColumnName(scan: Scan, index: number): boolean {
  const mention = mentionAt(scan, index)
  return (
    mention !== undefined &&
    mention.end - mention.start > 1 &&
    mention.columns.some((option) => option.score > 0.8)
  )
}

function numberNear(
  scan: Scan,
  found: readonly FoundSuperlative[],
): { readonly value: number; readonly end: number } | undefined {
  for (const { at, end } of found) {
    for (const place of [at - 1, end, end + 1]) {
      const token = scan.tokens[place]
      if (
        token?.kind !== 'number' ||
        scan.used.has(place) ||
        !Number.isInteger(token.value) ||
        token.value < 1
      )
        continue
      use(scan, place, place + 1)
      return { value: Math.min(token.value, 200), end: place + 1 }
    }
  }
  return numberBeforeHead(scan, found[0]?.at ?? 0)
}

/** "the 3 wards with the most admissions", "which 3 wards had the most …". */
function numberBeforeHead(
  scan: Scan,
  before: number,
): { readonly value: number; readonly end: number } | undefined {
  for (let place = before - 1; place >= 0; place--) {
    const token = scan.tokens[place]
    if (
      token?.kind !== 'number' ||
      scan.used.has(place) ||
      !Number.isInteger(token.value) ||
      token.value < 2 ||
      token.value > 200
    )
      continue
    const mention = mentionAt(scan, place + 1)
    if (mention === undefined || mention.start !== place + 1) continue
    use(scan, place, place + 1)
    return { value: token.value, end: place + 1 }
  }
  return undefined
}

function findHead(
  scan: Scan,
  main: FoundSuperlative,
  afterNumber: number | undefined,
): Head | undefined {
  const asked = afterQuestionWord(scan, main.at)
  if (asked !== undefined) return asked
  const linked = /^(?:with|having|had|has|have|got|by)$/
  const back = wordAt(scan, main.at - 1) === 'the' ? main.at - 2 : main.at - 1
  if (linked.test(wordAt(scan, back))) {
    const before = scan.mentions.filter((mention) => mention.end <= back).at(-1)
    const head = toHead(scan, before?.start)
    if (head !== undefined) return head
  }
  if (afterNumber !== undefined && afterNumber < main.at) {
    const head = toHead(scan, afterNumber)
    if (head !== undefined) return head
  }
  return toHead(scan, skipFiller(scan, Math.max(main.end, afterNumber ?? 0)))
}

function afterQuestionWord(scan: Scan, before: number): Head | undefined {
  for (let index = 0; index < before; index++) {
    const word = wordAt(scan, index)
    if (word === 'who') {
      // "who is the consultant with …" names the column itself.
      const named = /^(?:is|was|are|were)$/.test(wordAt(scan, index + 1))
        ? toHead(scan, skipFiller(scan, index + 2))
        : undefined
      return named ?? personHead(scan, index)
    }
    if (word === 'when') return { rows: true, start: index, end: index + 1, plural: false }
    if (!/^(?:which|what|whose|in|on)$/.test(word)) continue
    let place = index + 1
    while (
      scan.tokens[place]?.kind === 'number' ||
      /^(?:of|the|single|are)$/.test(wordAt(scan, place))
    )
      place++
    if (place >= before) continue
    const head = toHead(scan, place)
    if (head !== undefined && word !== 'in' && word !== 'on') return head
  }
  return undefined
}

function toHead(scan: Scan, place: number | undefined): Head | undefined {
  if (place === undefined) return undefined
  const part = datePartAt(scan, place)
  if (part !== undefined)
    return {
      key: part.key,
      rows: false,
      start: place,
      end: part.end,
      plural: isPlural(scan, part.end - 1),
    }
  const mention = mentionAt(scan, place)
  if (mention === undefined)
    return /^(?:row|record|entry|one|line)s?$/.test(wordAt(scan, place))
      ? { rows: true, start: place, end: place + 1, plural: isPlural(scan, place) }
      : undefined
  const place2 = { start: mention.start, end: mention.end, plural: isPlural(scan, mention.end - 1) }
  const value = mention.values[0]
  const category = columnOf(scan, mention, 'category')
  if (namesTable(scan, mention) && (category === undefined || category.score < 0.9))
    return { rows: true, ...place2 }
  if (value !== undefined && value.score > (category?.score ?? 0) && value.score > 0.6)
    return { rows: true, ...place2 }
  if (
    category !== undefined &&
    category.score >= 0.4 &&
    category.score + 0.1 >= (columnOf(scan, mention, 'number')?.score ?? 0)
  )
    return { key: { table: category.table, column: category.column }, rows: false, ...place2 }
  return undefined
}

function personHead(scan: Scan, index: number): Head {
  const ref = columnByHints(scan, personWords, (candidate) => candidate.column.type === 'text')
  const place = { start: index, end: index + 1, plural: false }
  return ref === undefined ? { rows: true, ...place } : { key: ref, rows: false, ...place }
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

function groupMeasure(scan: Scan, { main, head, measures }: GroupAsk): Measure {
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
  const other = columnOf(scan, after, 'category')
  if (other !== undefined && other.score >= 0.5 && after !== undefined && !isUsed(scan, after))
    return { name: 'distinct', column: other }
  return { name: 'count' }
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

function isPlural(scan: Scan, index: number): boolean {
  const token = scan.tokens[index]
  return (
    token !== undefined &&
    token.kind === 'word' &&
    token.word.endsWith('s') &&
    token.stem !== token.word
  )
}

function skipFiller(scan: Scan, at: number): number {
  let index = at
  while (/^(?:the|of|all|our|single|most|selling|paying|spending)$/.test(wordAt(scan, index)))
    index++
  return index
}
