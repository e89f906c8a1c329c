import type {
  AggregateRequest,
  Filter,
  GroupKey,
  Measure,
  RowsRequest,
  ShareRequest,
  TableRequest,
  Test,
} from '../tables/request.ts'
import type { ColumnRef } from '../tables/table-info.ts'

const measureNames: Readonly<Record<Measure['name'], string>> = {
  count: 'number of rows',
  distinct: 'number of different values',
  sum: 'sum',
  avg: 'mean',
  min: 'minimum',
  max: 'maximum',
  median: 'median',
}

/** How the planner read a question, in words: "mean of `amount` in `orders` where `region` is North". */
export function wordRequest(request: TableRequest): string {
  switch (request.kind) {
    case 'aggregate':
      return wordAggregate(request)
    case 'rows':
      return wordRows(request)
    case 'share':
      return wordShare(request)
    case 'describe':
      return `columns of \`${request.table.table}\``
  }
}

export function wordMeasure(measure: Measure): string {
  if (measure.column === undefined) return measureNames[measure.name]
  const times = measure.times === undefined ? '' : ` × ${wordColumn(measure.times)}`
  return `${measureNames[measure.name]} of ${wordColumn(measure.column)}${times}`
}

export function wordKey(key: GroupKey): string {
  return key.part === undefined ? wordColumn(key) : `${key.part} of ${wordColumn(key)}`
}

export function wordColumn(ref: ColumnRef): string {
  return `\`${ref.column.name}\``
}

function wordFilters(filters: readonly Filter[]): string {
  return filters.length === 0 ? '' : ` where ${filters.map(wordFilter).join(' and ')}`
}

export function formatNumber(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString('en-GB', { maximumFractionDigits: 0 })
  return Math.abs(value) >= 1
    ? value.toLocaleString('en-GB', { maximumFractionDigits: 2 })
    : value.toLocaleString('en-GB', { maximumSignificantDigits: 4 })
}

function wordAggregate(request: AggregateRequest): string {
  const measures = request.measures.map(wordMeasure).join(', ')
  const keys =
    request.groupBy.length === 0 ? '' : ` per ${request.groupBy.map(wordKey).join(' and ')}`
  const having =
    request.having === undefined
      ? ''
      : `, only where the ${wordMeasure(request.having.measure)} is ${request.having.comparison} ${formatNumber(request.having.value)}`
  const order =
    request.order === undefined
      ? ''
      : `, ${request.order.direction === 'desc' ? 'largest' : 'smallest'} first`
  const counted = request.countGroups ? 'number of groups: ' : ''
  return `${counted}${measures} in \`${request.table.table}\`${wordFilters(request.filters)}${keys}${having}${order}`
}

function wordRows(request: RowsRequest): string {
  const order =
    request.order === undefined
      ? ''
      : `, ${request.order.direction === 'desc' ? 'largest' : 'smallest'} ${wordColumn(request.order.column)} first`
  return `rows of \`${request.table.table}\`${wordFilters(request.filters)}${order}`
}

function wordShare(request: ShareRequest): string {
  const unit = request.measure.column === undefined ? 'rows' : wordColumn(request.measure.column)
  const part = request.filters.length === 0 ? '' : `${wordFilters(request.filters)},`
  const keys =
    request.groupBy.length === 0 ? '' : ` per ${request.groupBy.map(wordKey).join(' and ')}`
  return `share of ${unit}${part} among all of \`${request.table.table}\`${wordFilters(request.base)}${keys}`
}

function wordFilter(filter: Filter): string {
  const columns =
    filter.columns.length > 3 ? 'any text' : filter.columns.map(wordColumn).join(' or ')
  return `${columns} ${wordTest(filter.test, filter.negated)}`
}

function wordTest(test: Test, negated: boolean): string {
  const not = negated ? 'not ' : ''
  switch (test.kind) {
    case 'empty':
      return negated ? 'is given' : 'is empty'
    case 'one-of':
      return `is ${not}${test.values.join(' or ')}`
    case 'text':
      return `${negated ? 'does not ' : ''}${negated ? test.place.replace(/s$/, '') : test.place}${test.place === 'contains' ? '' : ' with'} “${test.text}”`
    case 'compare':
      return `is ${not}${test.comparison} ${formatNumber(test.value).replaceAll(',', '')}`
    case 'between':
      return `is ${not}between ${test.low} and ${test.high}`
    case 'month':
      return `is ${not}in month ${test.months.join(' or ')}`
    case 'weekday':
      return `is ${not}on ${test.days.map((day) => ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'][day]).join(' or ')}`
    case 'period':
      return wordPeriod(test, not)
  }
}

function wordPeriod(
  { period, side, or = [] }: Extract<Test, { kind: 'period' }>,
  not: string,
): string {
  if (or.length > 0)
    return [period, ...or]
      .map((one) => wordPeriod({ kind: 'period', period: one, side }, not))
      .join(' or ')
  if (side === 'before') return `is ${not}before ${period.from}`
  if (side === 'since') return `is ${not}from ${period.from} on`
  if (side === 'after') return `is ${not}from ${period.to} on`
  if (side === 'until') return `is ${not}before ${period.to}`
  return `is ${not}from ${period.from} to before ${period.to}`
}
