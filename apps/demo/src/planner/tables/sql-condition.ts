import type { Filter, Test } from './request.ts'
import { likePattern, quoteValue } from './sql-text.ts'
import type { ColumnInfo, ColumnRef } from './table-info.ts'
import { dateFormatOf } from './table-info.ts'

/** One condition. "Not North" keeps rows where the value is missing, as people mean it. */
export function conditionSql(filter: Filter, nameOf: (ref: ColumnRef) => string): string {
  const conditions = filter.columns.map((ref) => testSql(filter, ref.column, nameOf(ref)))
  const joined = conditions.join(filter.negated ? ' AND ' : ' OR ')
  return conditions.length > 1 ? `(${joined})` : joined
}

/** A date written day first or month first, turned so that it sorts. */
export function dateSql(column: ColumnInfo, name: string): string {
  const format = dateFormatOf(column)
  if (format === undefined || format === 'iso') return name
  const [day, month] = format === 'day-first' ? [1, 4] : [4, 1]
  return `(substr(${name}, 7, 4) || '-' || substr(${name}, ${month}, 2) || '-' || substr(${name}, ${day}, 2))`
}

function testSql({ test, negated }: Filter, column: ColumnInfo, name: string): string {
  if (test.kind === 'empty') return `${name} IS ${negated ? 'NOT ' : ''}NULL`
  if (test.kind === 'one-of') return oneOfSql(test, name, negated)
  if (test.kind === 'text') {
    const like = `${name} ${likePattern(test.text, test.place)}`
    return negated ? `(${name} IS NULL OR NOT ${like})` : like
  }
  const plain = rangeSql(test, column, name)
  return negated ? `NOT (${plain})` : plain
}

function oneOfSql(test: Extract<Test, { kind: 'one-of' }>, name: string, negated: boolean): string {
  const values = test.values.map(quoteValue)
  if (values.length === 1) return negated ? `${name} IS NOT ${values[0]}` : `${name} = ${values[0]}`
  const list = `(${values.join(', ')})`
  return negated ? `(${name} IS NULL OR ${name} NOT IN ${list})` : `${name} IN ${list}`
}

function rangeSql(
  test: Exclude<Test, { kind: 'empty' | 'one-of' | 'text' }>,
  column: ColumnInfo,
  name: string,
): string {
  const date = dateSql(column, name)
  switch (test.kind) {
    case 'compare':
      return `${name} ${test.comparison} ${test.value}`
    case 'between':
      return `${name} BETWEEN ${test.low} AND ${test.high}`
    case 'month':
      return `substr(${date}, 6, 2) IN (${test.months.map((month) => `'${String(month).padStart(2, '0')}'`).join(', ')})`
    case 'weekday':
      return `CAST(strftime('%w', ${date}) AS INTEGER) IN (${test.days.join(', ')})`
    case 'period':
      return periodSql(test, date)
  }
}

function periodSql(
  { period, side, or = [] }: Extract<Test, { kind: 'period' }>,
  date: string,
): string {
  if (or.length > 0) {
    const each = [period, ...or].map((one) =>
      periodSql({ kind: 'period', period: one, side }, date),
    )
    return `(${each.map((sql) => `(${sql})`).join(' OR ')})`
  }
  const from = quoteValue(period.from)
  const to = quoteValue(period.to)
  if (side === 'before') return `${date} < ${from}`
  if (side === 'after' || side === 'since') return `${date} >= ${side === 'after' ? to : from}`
  if (side === 'until') return `${date} < ${to}`
  return `${date} >= ${from} AND ${date} < ${to}`
}
