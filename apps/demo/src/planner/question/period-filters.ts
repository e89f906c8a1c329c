import type { Filter } from '../tables/request.ts'
import type { ColumnRef } from '../tables/table-info.ts'
import { readPeriod, toMonth } from './period.ts'
import type { Scan } from './scan.ts'
import { columnOf, dateColumns, mentionAt, take, wordAt } from './scan.ts'
import { isNegatedAt } from './value-filters.ts'
import { weekdayNames } from './vocabulary.ts'

/** "in March 2024", "on 5 May 2024", "in 2023", "on Saturdays", "at weekends". */
export function findPeriodFilters(scan: Scan): readonly Filter[] {
  const filters: Filter[] = []
  for (let index = 0; index < scan.tokens.length; index++) {
    if (scan.used.has(index)) continue
    const column = dateFor(scan, index)
    if (column === undefined) break
    const days = weekdaysAt(scan, index)
    if (days.length > 0) {
      take(scan, index, index + 1)
      filters.push({
        columns: [column],
        test: { kind: 'weekday', days },
        negated: isNegatedAt(scan, index),
        at: index,
      })
      continue
    }
    const filter = periodFilterAt(scan, index, column)
    if (filter !== undefined) filters.push(filter)
  }
  return mergePeriods(filters)
}

/** "in 2021 and 2022", "May and June 2023": either will do, and a month borrows the year that follows. */
function mergePeriods(filters: readonly Filter[]): readonly Filter[] {
  const merged: Filter[] = []
  for (const filter of filters) {
    const before = merged.at(-1)
    const joined = before === undefined ? undefined : joinTests(before, filter)
    if (before === undefined || joined === undefined) merged.push(filter)
    else merged[merged.length - 1] = { ...before, test: joined }
  }
  return merged
}

function joinTests(before: Filter, after: Filter): Filter['test'] | undefined {
  if (before.columns[0]?.column !== after.columns[0]?.column || before.negated !== after.negated)
    return undefined
  const [left, right] = [before.test, after.test]
  if (left.kind === 'weekday' && right.kind === 'weekday')
    return { kind: 'weekday', days: [...left.days, ...right.days] }
  if (left.kind === 'month' && right.kind === 'month')
    return { kind: 'month', months: [...left.months, ...right.months] }
  if (right.kind !== 'period') return undefined
  if (left.kind === 'period') return { ...left, or: [...(left.or ?? []), right.period] }
  if (left.kind !== 'month') return undefined
  const year = Number(right.period.from.slice(0, 4))
  return { ...right, or: left.months.map((month) => toMonth(year, month)) }
}

function periodFilterAt(scan: Scan, index: number, column: ColumnRef): Filter | undefined {
  const read = readPeriod(scan.tokens, index)
  const introduced = /^(?:in|during|on|for|of|from|for|throughout|within|year|the)$/.test(
    wordAt(scan, index - 1),
  )
  if (
    read === undefined ||
    (read.month !== undefined && !introduced && wordAt(scan, index) === 'may')
  )
    return undefined
  if (
    read.year !== undefined &&
    !introduced &&
    index !== scan.tokens.length - 1 &&
    mentionAt(scan, index + 1) === undefined
  )
    return undefined
  take(scan, index, read.next)
  const negated = isNegatedAt(scan, index)
  if (read.period !== undefined)
    return {
      columns: [column],
      test: { kind: 'period', period: read.period, side: 'in' },
      negated,
      at: index,
    }
  return {
    columns: [column],
    test: { kind: 'month', months: [read.month ?? 0] },
    negated,
    at: index,
  }
}

function dateFor(scan: Scan, index: number): ColumnRef | undefined {
  const near = scan.mentions
    .filter((mention) => mention.end <= index)
    .reverse()
    .map((mention) => columnOf(scan, mention, 'date'))
    .find((ref) => ref !== undefined && ref.score >= 0.45)
  if (near !== undefined) return near
  const table = scan.reach.find((candidate) => dateColumns(candidate).length > 0)
  const column = table === undefined ? undefined : dateColumns(table)[0]
  return table === undefined || column === undefined ? undefined : { table, column }
}

function weekdaysAt(scan: Scan, index: number): readonly number[] {
  const stem = scan.tokens[index]?.stem ?? ''
  if (/^week-?end$/.test(stem)) return [0, 6]
  const day = weekdayNames.indexOf(stem)
  return day < 0 ? [] : [day]
}
