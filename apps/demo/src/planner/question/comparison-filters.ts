import type { Filter, Test } from '../tables/request.ts'
import type { ColumnRef } from '../tables/table-info.ts'
import { isDate, isIdentifier, isNumeric, isYear } from '../tables/table-info.ts'
import { columnByHints, onlyNumeric } from './column-hints.ts'
import type { Bound, FoundComparison } from './comparisons.ts'
import type { Scan } from './scan.ts'
import { columnOf, dateColumns, isUsed, mentionAt, numericColumns, take, wordAt } from './scan.ts'
import { moneyWords, personWords } from './vocabulary.ts'
import { wordsOf } from './words.ts'

/** Ties a comparison to the column it is about, or gives nothing when no column fits. */
export function toComparisonFilter(scan: Scan, found: FoundComparison): Filter | undefined {
  const column = chooseColumn(scan, found)
  if (column === undefined) return undefined
  const test = toTest(found, column)
  if (test === undefined) return undefined
  take(scan, found.start, found.end)
  return { columns: [column], test, negated: found.negated, at: found.start }
}

/** The number a question about "how much" or "the biggest" is most likely about. */
export function defaultNumber(scan: Scan): ColumnRef | undefined {
  const money = columnByHints(
    scan,
    moneyWords,
    (ref) => ref.table === scan.table && isNumeric(ref.column),
  )
  if (money !== undefined) return money
  const columns = numericColumns(scan.table).filter((column) => !isYear(column))
  const column = columns[0]
  return columns.length === 1 && column !== undefined ? { table: scan.table, column } : undefined
}

function chooseColumn(scan: Scan, found: FoundComparison): ColumnRef | undefined {
  const onlyDate = found.first.number === undefined || found.wantsDate
  if (onlyDate && found.first.period !== undefined) {
    const year = found.first.number === undefined ? undefined : yearColumn(scan)
    return nearby(scan, found, 'date') ?? nearbyYear(scan, found) ?? year ?? firstDate(scan)
  }
  const hinted = columnByHints(scan, found.hints, onlyNumeric) ?? ageColumn(scan, found)
  const unit = columnByUnit(scan, found)
  const near = nearby(scan, found, 'number')
  if (
    hinted !== undefined &&
    (near === undefined ||
      (found.hints.length > 0 &&
        !found.hints.some((hint) => wordsOf(near.column.name).includes(hint))))
  )
    return hinted
  const year =
    found.first.period !== undefined && near === undefined
      ? (yearColumn(scan) ?? firstDate(scan))
      : undefined
  return (
    directlyBefore(scan, found) ??
    following(scan, found) ??
    unit ??
    near ??
    year ??
    defaultNumber(scan)
  )
}

const people = new Set([
  ...personWords,
  'people',
  'women',
  'woman',
  'men',
  'man',
  'female',
  'male',
  'boy',
  'girl',
  'child',
  'children',
  'adult',
  'pensioner',
])

/** "patients over 80", "the under-18s": said of people without a unit, the number is an age. */
function ageColumn(scan: Scan, found: FoundComparison): ColumnRef | undefined {
  const number = found.first.number ?? 0
  const subject = scan.tokens
    .slice(Math.max(0, found.start - 3), found.start)
    .some((token) => people.has(token.stem) || people.has(token.word))
  const plural = wordAt(scan, found.end) === 's'
  if (!(subject || plural) || number < 1 || number > 120 || scan.tokens[found.end]?.stem === 'day')
    return undefined
  return columnByHints(scan, ['age'], onlyNumeric)
}

/** `weight over 20`: the nearest fitting column named before the comparison. */
function nearby(
  scan: Scan,
  found: FoundComparison,
  wish: 'number' | 'date',
): ColumnRef | undefined {
  const before = scan.mentions.filter((mention) => mention.end <= found.start).reverse()
  for (const mention of before) {
    const column = columnOf(scan, mention, wish)
    if (column !== undefined && column.score >= 0.45) return column
  }
  return undefined
}

/** "a tip above 2 pounds": nothing stands between the column and the comparison. */
function directlyBefore(scan: Scan, found: FoundComparison): ColumnRef | undefined {
  const linked = /^(?:of|is|was|are|were|is|that|be)$/.test(wordAt(scan, found.start - 1)) ? 1 : 0
  const mention = mentionAt(scan, found.start - 1 - linked)
  const column = columnOf(scan, mention, 'number')
  return column === undefined || column.score < 0.65 || isIdentifier(column.table, column.column)
    ? undefined
    : column
}

function nearbyYear(scan: Scan, found: FoundComparison): ColumnRef | undefined {
  const ref = nearby(scan, found, 'number')
  return ref !== undefined && isYear(ref.column) ? ref : undefined
}

/** `more than 3 cups`: a column named right after the number. */
function following(scan: Scan, found: FoundComparison): ColumnRef | undefined {
  const place = wordAt(scan, found.end) === 'of' ? found.end + 1 : found.end
  const mention = mentionAt(scan, place)
  if (mention === undefined || isUsed(scan, mention)) return undefined
  const column = columnOf(scan, mention, 'number')
  if (column === undefined || column.score < 0.5 || isIdentifier(column.table, column.column))
    return undefined
  take(scan, mention.start, mention.end)
  return column
}

const units: Readonly<Record<string, readonly string[]>> = {
  g: ['g', 'gram', 'weight', 'mass'],
  gram: ['g', 'gram', 'weight', 'mass'],
  kg: ['kg', 'weight', 'mass'],
  kilo: ['kg', 'weight', 'mass'],
  mm: ['mm'],
  millimeter: ['mm'],
  cm: ['cm'],
  centimeter: ['cm'],
  km: ['km', 'distance'],
  kilometer: ['km', 'distance'],
  day: ['day', 'duration', 'stay'],
  hour: ['hour', 'duration'],
  minute: ['minute', 'min', 'duration', 'time'],
  min: ['minute', 'min'],
  year: ['age', 'year'],
  pound: moneyWords,
  quid: moneyWords,
  euro: moneyWords,
  dollar: moneyWords,
  gbp: moneyWords,
  eur: moneyWords,
  usd: moneyWords,
  degree: ['temperature', 'temp'],
  percent: ['percent', 'pct', 'rate', 'share'],
}

function columnByUnit(scan: Scan, found: FoundComparison): ColumnRef | undefined {
  const unit = scan.tokens[found.end]
  if (unit === undefined || !Object.hasOwn(units, unit.stem)) return undefined
  const ref = columnByHints(scan, units[unit.stem] ?? [], onlyNumeric)
  if (ref !== undefined) take(scan, found.end, found.end + 1)
  return ref
}

function firstDate(scan: Scan): ColumnRef | undefined {
  for (const table of scan.reach) {
    const column = dateColumns(table)[0]
    if (column !== undefined) return { table, column }
  }
  return undefined
}

function yearColumn(scan: Scan): ColumnRef | undefined {
  const column = scan.table.columns.find(
    (candidate) => isYear(candidate) && /year/i.test(candidate.name),
  )
  return column === undefined ? undefined : { table: scan.table, column }
}

function toTest(found: FoundComparison, ref: ColumnRef): Test | undefined {
  const { first, second, comparison } = found
  if (isDate(ref.column)) return toPeriodTest(found)
  if (first.number === undefined) return undefined
  if (comparison !== 'between') return { kind: 'compare', comparison, value: first.number }
  if (second?.number === undefined) return undefined
  return {
    kind: 'between',
    low: Math.min(first.number, second.number),
    high: Math.max(first.number, second.number),
  }
}

const sides = { '>': 'after', '>=': 'since', '<': 'before', '<=': 'until', '=': 'in' } as const

function toPeriodTest({ first, second, comparison }: FoundComparison): Test | undefined {
  const period = first.period?.period ?? monthInYearOf(first, second)
  if (period === undefined) return undefined
  if (comparison !== 'between') return { kind: 'period', period, side: sides[comparison] }
  const until = second?.period?.period
  return until === undefined
    ? undefined
    : { kind: 'period', period: { from: period.from, to: until.to }, side: 'in' }
}

/** `from March to May 2024`: the first month borrows the year of the second. */
function monthInYearOf(
  first: Bound,
  second: Bound | undefined,
): { readonly from: string; readonly to: string } | undefined {
  const month = first.period?.month
  const year = second?.period?.period?.from.slice(0, 4)
  return month === undefined || year === undefined
    ? undefined
    : { from: `${year}-${String(month).padStart(2, '0')}-01`, to: '' }
}
