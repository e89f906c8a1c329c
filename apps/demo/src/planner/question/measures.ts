import type { Measure, MeasureName } from '../tables/request.ts'
import type { ColumnRef } from '../tables/table-info.ts'
import { isIdentifier } from '../tables/table-info.ts'
import { defaultNumber } from './comparison-filters.ts'
import { quantityOf, revenueOf } from './revenue.ts'
import type { Scan } from './scan.ts'
import { columnOf, isUsed, longestPhraseAt, mentionAt, namesTable, take, wordAt } from './scan.ts'
import type { Mention } from './schema-match.ts'

export interface FoundMeasure {
  readonly at: number
  readonly end: number
  readonly measure: Measure
  /** The rule had to guess the column, or found none. */
  readonly guessed: boolean
  /** From "overall", "in total": it may as well belong to another measure. */
  readonly loose?: boolean
}

const phrases: readonly (readonly [string, MeasureName | 'much' | 'loose-sum'])[] = [
  ...[
    'how many',
    'how many times',
    'number of',
    'total number of',
    'total count',
    'overall number of',
    'count of',
    'count',
    'counts',
    'how often',
    'tally',
    'no of',
    'headcount',
    'frequency',
    'nr of',
    'amount of times',
  ].map((text) => [text, 'count'] as const),
  ...[
    'total',
    'sum',
    'sum of',
    'total of',
    'grand total',
    'sum up',
    'add up',
    'totals',
    'summed',
    'sum total',
  ].map((text) => [text, 'sum'] as const),
  ...[
    'in total',
    'altogether',
    'in all',
    'combined',
    'overall',
    'all together',
    'put together',
  ].map((text) => [text, 'loose-sum'] as const),
  ...[
    'average',
    'mean',
    'avg',
    'on average',
    'typical',
    'typically',
    'average number of',
    'mean number of',
    'averages',
    'averaged',
    'arithmetic mean',
  ].map((text) => [text, 'avg'] as const),
  ...['median', 'middle value'].map((text) => [text, 'median'] as const),
  ['how much', 'much'],
]
const phraseTexts = phrases.map(([text]) => text)
const meanings = new Map(phrases)

/** "how many", "the total …", "min, max and average …": what is to be computed, and over which column. */
export function findMeasures(scan: Scan): readonly FoundMeasure[] {
  const found: FoundMeasure[] = []
  const loose: number[] = []
  let much: number | undefined
  for (let index = 0; index < scan.tokens.length; index++) {
    const match = scan.used.has(index) ? undefined : longestPhraseAt(scan, index, phraseTexts)
    const meaning = match === undefined ? undefined : meanings.get(match.phrase)
    if (match === undefined || meaning === undefined || isPartOfName(scan, index)) continue
    const end = index + match.length
    take(scan, index, end)
    if (meaning === 'loose-sum') loose.push(index)
    else if (meaning === 'much') much = index
    else found.push(...toMeasures(scan, { name: meaning, at: index, end }))
    index = end - 1
  }
  if (found.length > 0) return found
  if (much !== undefined) return [sumAt(scan, much)]
  return loose[0] === undefined ? [] : [{ ...sumAt(scan, loose[0]), loose: true }]
}

export function isNumberMention(
  scan: Scan,
  mention: Mention | undefined,
  least = 0.5,
): ColumnRef | undefined {
  const column = columnOf(scan, mention, 'number')
  return column === undefined || column.score < least || isIdentifier(column.table, column.column)
    ? undefined
    : { table: column.table, column: column.column }
}

/** Of all columns the words may mean, the best is a number. */
export function isMainlyNumber(scan: Scan, mention: Mention): boolean {
  const number = columnOf(scan, mention, 'number')
  return (
    isNumberMention(scan, mention, 0.6) !== undefined &&
    (number?.score ?? 0) >= (columnOf(scan, mention)?.score ?? 0) - 0.02
  )
}

interface Word {
  readonly name: MeasureName
  readonly at: number
  readonly end: number
}

function toMeasures(scan: Scan, word: Word): readonly FoundMeasure[] {
  if (word.name === 'count') return [toCount(scan, word)]
  if (
    word.name === 'sum' &&
    namesTable(scan, nextMention(scan, word.end, 1)) &&
    isNumberMention(scan, nextMention(scan, word.end, 1), 0.6) === undefined
  ) {
    const number = isNumberMention(
      scan,
      scan.mentions.find((mention) => mention.start > word.end + 1 && !isUsed(scan, mention)),
      0.5,
    )
    if (number === undefined) return [toCount(scan, word)]
  }
  const revenue = word.name === 'sum' || word.name === 'avg' ? revenueOf(scan) : undefined
  if (revenue !== undefined)
    return [
      { at: word.at, end: word.end, measure: { ...revenue, name: word.name }, guessed: false },
    ]
  const targets = numbersAfter(scan, word.end)
  if (targets.length > 0)
    return targets.map((column) => ({
      at: word.at,
      end: word.end,
      measure: { name: word.name, column },
      guessed: false,
    }))
  const before = scan.mentions
    .filter((mention) => mention.end <= word.at)
    .reverse()
    .map((mention) => isNumberMention(scan, mention))
    .find((column) => column !== undefined)
  const column = before ?? defaultNumber(scan)
  return [
    {
      at: word.at,
      end: word.end,
      measure: { name: word.name, ...(column === undefined ? {} : { column }) },
      guessed: before === undefined,
    },
  ]
}

/** The numeric column named after the word, and those joined to it: "average weight and wing length". */
function numbersAfter(scan: Scan, from: number): readonly ColumnRef[] {
  const first = scan.mentions.find((mention) => {
    const reachable = mention.start < from ? mention.end > from : !isUsed(scan, mention)
    return reachable && isNumberMention(scan, mention) !== undefined
  })
  const columns: ColumnRef[] = []
  for (let mention = first; mention !== undefined; ) {
    const column = isNumberMention(scan, mention)
    if (column === undefined) break
    columns.push(column)
    const end = mention.end
    if (!/^(?:and|,|&)$/.test(wordAt(scan, end))) break
    const place = /^(?:the|their|and)$/.test(wordAt(scan, end + 1)) ? end + 2 : end + 1
    mention = scan.mentions.find((other) => other.start === place && !isUsed(scan, other))
  }
  return columns
}

/** "how many": rows when the table is named, different values of a column, the sum of a number. */
function toCount(scan: Scan, word: Word): FoundMeasure {
  const different = [0, 1, 2].some((offset) =>
    /^(?:different|distinct|unique|individual)$/.test(wordAt(scan, word.end + offset)),
  )
  const mention = nextMention(scan, word.end, different ? 3 : 2)
  const plain: FoundMeasure = {
    at: word.at,
    end: word.end,
    measure: { name: 'count' },
    guessed: mention === undefined || isUsed(scan, mention),
  }
  if (mention === undefined) return plain
  const sold = mention.values.length > 0 ? quantityOf(scan) : undefined
  if (sold !== undefined)
    return { ...plain, measure: { name: 'sum', column: sold }, guessed: false }
  if (isUsed(scan, mention)) return plain
  if (namesTable(scan, mention) && !different) return { ...plain, end: mention.end }
  const column = columnOf(scan, mention)
  if (column === undefined || column.score < 0.5) return plain
  const value = mention.values[0]
  if (value !== undefined && value.score >= column.score) return plain
  const number = isNumberMention(scan, mention, 0.55)
  if (
    number !== undefined &&
    !different &&
    (columnOf(scan, mention, 'number')?.score ?? 0) >= column.score - 0.02
  )
    return { ...plain, end: mention.end, measure: { name: 'sum', column: number, counted: true } }
  take(scan, mention.start, mention.end)
  return { ...plain, end: mention.end, measure: { name: 'distinct', column, counted: true } }
}

function sumAt(scan: Scan, at: number): FoundMeasure {
  const revenue = revenueOf(scan)
  const numbers = scan.mentions
    .map((mention) => isNumberMention(scan, mention))
    .filter((column) => column !== undefined)
  const column = numbers[0] ?? defaultNumber(scan)
  const measure: Measure = revenue ?? { name: 'sum', ...(column === undefined ? {} : { column }) }
  return { at, end: at + 2, measure, guessed: numbers.length === 0 && revenue === undefined }
}

function nextMention(scan: Scan, from: number, within: number): Mention | undefined {
  const mention = scan.mentions.find((candidate) => candidate.start >= from)
  return mention !== undefined && mention.start - from <= within ? mention : undefined
}

/** `total` is no sum in "average order total": there it is the name of a column. */
function isPartOfName(scan: Scan, start: number): boolean {
  const mention = mentionAt(scan, start)
  if (mention === undefined) return false
  const column = columnOf(scan, mention)
  if (column === undefined || column.score < 0.7) return false
  if (mention.start < start) return true
  const asked =
    /^(?:average|mean|median|highest|lowest|max|min|biggest|largest|smallest|maximum|minimum)$/
  return asked.test(wordAt(scan, start - 1)) || mention.end - mention.start === 1
}
