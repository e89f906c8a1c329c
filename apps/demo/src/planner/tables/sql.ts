import { findJoin } from './joins.ts'
import type {
  AggregateRequest,
  Filter,
  GroupKey,
  Measure,
  RowsRequest,
  ShareRequest,
  TableRequest,
} from './request.ts'
import { conditionSql, dateSql } from './sql-condition.ts'
import { quoteName } from './sql-text.ts'
import type { ColumnRef, TableInfo } from './table-info.ts'
import { isNumeric } from './table-info.ts'

/** The SELECT that answers a request. Names are quoted, values escaped. */
export function toSql(request: Exclude<TableRequest, { kind: 'describe' }>): string {
  switch (request.kind) {
    case 'aggregate':
      return request.measures.some((measure) => measure.name === 'median')
        ? medianSql(request)
        : aggregateSql(request)
    case 'rows':
      return rowsSql(request)
    case 'share':
      return shareSql(request)
  }
}

/** Every column a request touches, so that the tables they live in get joined. */
export function columnsIn(request: TableRequest): readonly ColumnRef[] {
  const filters = request.filters.flatMap((filter) => filter.columns)
  const grouped: readonly ColumnRef[] = request.groupBy
  if (request.kind === 'rows')
    return [
      ...grouped,
      ...filters,
      ...request.columns,
      ...(request.order === undefined ? [] : [request.order.column]),
    ]
  if (request.kind === 'share')
    return [
      ...grouped,
      ...filters,
      ...request.base.flatMap((filter) => filter.columns),
      ...columnsOf([request.measure]),
    ]
  if (request.kind === 'aggregate')
    return [
      ...grouped,
      ...filters,
      ...columnsOf(request.measures),
      ...columnsOf(request.having === undefined ? [] : [request.having.measure]),
    ]
  return []
}

interface Names {
  readonly joined: boolean
  readonly table: TableInfo
}

function aggregateSql(request: AggregateRequest): string {
  const names = namesFor(request)
  const keys = request.groupBy.map((key) => keySql(key, names))
  const measures = request.measures.map((measure) => measureSql(measure, names))
  const parts = [
    `SELECT ${[...keys, ...measures].map((sql, index) => `${sql} AS ${quoteName(aliasOf(request, index))}`).join(', ')}`,
    fromSql(request),
    whereSql(request.filters, names),
  ]
  if (keys.length > 0) parts.push(`GROUP BY ${keys.map((_, index) => index + 1).join(', ')}`)
  if (request.having !== undefined)
    parts.push(
      `HAVING ${measureSql(request.having.measure, names)} ${request.having.comparison} ${request.having.value}`,
    )
  if (request.countGroups) return `SELECT COUNT(*) AS "count" FROM (${join(parts)})`
  parts.push(orderSql(request, keys.length))
  return join(parts)
}

function orderSql(request: AggregateRequest, keys: number): string {
  if (keys === 0) return ''
  const first = keys + 1
  if (request.order !== undefined)
    return `ORDER BY ${first} ${request.order.direction.toUpperCase()} NULLS LAST, 1 LIMIT ${Math.max(request.order.limit, request.order.single ? 5 : 1)}`
  const key = request.groupBy[0]
  const natural = key !== undefined && (key.part !== undefined || isNumeric(key.column))
  return natural ? 'ORDER BY 1' : `ORDER BY ${first} DESC, 1`
}

function rowsSql(request: RowsRequest): string {
  const names = namesFor(request)
  const columns = request.columns.map((ref) => columnSql(ref, names))
  const all = names.joined ? `${quoteName(request.table.table)}.*` : '*'
  const parts = [
    `SELECT ${columns.length > 0 ? columns.join(', ') : all}`,
    fromSql(request),
    whereSql(request.filters, names),
  ]
  if (request.order !== undefined) {
    const column = columnSql(request.order.column, names)
    parts.push(
      `ORDER BY ${dateSql(request.order.column.column, column)} ${request.order.direction.toUpperCase()} NULLS LAST`,
    )
    parts.push(`LIMIT ${request.limit}`)
  }
  return join(parts)
}

/** Without groups: the part and the whole. With groups: each group's part of the whole. */
function shareSql(request: ShareRequest): string {
  const names = namesFor(request)
  const unit = request.measure.column === undefined ? '1' : columnSql(request.measure.column, names)
  const key = request.groupBy[0]
  if (key !== undefined && request.filters.length === 0) {
    const group = keySql(key, names)
    const part = `SUM(${unit})`
    return join([
      `SELECT ${group} AS ${quoteName(keyName(key))}, ${part} AS "part", ROUND(100.0 * ${part} / SUM(${part}) OVER (), 2) AS "percent"`,
      fromSql(request),
      whereSql(request.base, names),
      'GROUP BY 1 ORDER BY 2 DESC, 1',
    ])
  }
  const condition =
    request.filters
      .map((filter) => conditionSql(filter, (ref) => columnSql(ref, names)))
      .join(' AND ') || '1'
  const part = `SUM(CASE WHEN ${condition} THEN ${unit} ELSE 0 END)`
  const whole = `SUM(${unit})`
  const grouped = key === undefined ? '' : `${keySql(key, names)} AS ${quoteName(keyName(key))}, `
  const tail = key === undefined ? '' : 'GROUP BY 1 ORDER BY 1'
  return join([
    `SELECT ${grouped}${part} AS "part", ${whole} AS "whole", ROUND(100.0 * ${part} / ${whole}, 2) AS "percent"`,
    fromSql(request),
    whereSql(request.base, names),
    tail,
  ])
}

/** SQLite has no median: number the values in order and average the middle one or two. */
function medianSql(request: AggregateRequest): string {
  const names = namesFor(request)
  const keys = request.groupBy.map((key, index) => `${keySql(key, names)} AS k${index}`)
  const partition =
    request.groupBy.length === 0
      ? ''
      : `PARTITION BY ${request.groupBy.map((key) => keySql(key, names)).join(', ')}`
  const columns = request.measures.map((measure) =>
    measure.column === undefined ? 'NULL' : columnSql(measure.column, names),
  )
  const ranked = columns.flatMap((column, index) => [
    `${column} AS v${index}`,
    `ROW_NUMBER() OVER (${partition} ORDER BY ${column} IS NULL, ${column}) AS n${index}`,
    `COUNT(${column}) OVER (${partition}) AS c${index}`,
  ])
  const inner = join([
    `SELECT ${[...keys, ...ranked].join(', ')}`,
    fromSql(request),
    whereSql(request.filters, names),
  ])
  const outer = request.measures.map((measure, index) => {
    if (measure.name === 'median')
      return `AVG(CASE WHEN n${index} IN ((c${index} + 1) / 2, (c${index} + 2) / 2) THEN v${index} END)`
    if (measure.name === 'count') return 'COUNT(*)'
    return measure.name === 'distinct'
      ? `COUNT(DISTINCT v${index})`
      : `${measure.name.toUpperCase()}(v${index})`
  })
  const selected = [...request.groupBy.map((_, index) => `k${index}`), ...outer].map(
    (sql, index) => `${sql} AS ${quoteName(aliasOf(request, index))}`,
  )
  const grouped =
    keys.length === 0 ? '' : `GROUP BY ${keys.map((_, index) => index + 1).join(', ')}`
  return join([
    `SELECT ${selected.join(', ')} FROM (${inner})`,
    grouped,
    orderSql(request, keys.length),
  ])
}

function measureSql(measure: Measure, names: Names): string {
  const column = measure.column === undefined ? '' : columnSql(measure.column, names)
  const value =
    measure.times === undefined ? column : `${column} * ${columnSql(measure.times, names)}`
  // A join can show a row several times; it still counts once.
  if (measure.name === 'count')
    return names.joined ? `COUNT(DISTINCT ${quoteName(names.table.table)}.rowid)` : 'COUNT(*)'
  if (column === '') return 'NULL'
  if (measure.name === 'distinct') return `COUNT(DISTINCT ${column})`
  return `${measure.name.toUpperCase()}(${value})`
}

const dateParts = { year: [1, 4], month: [1, 7], day: [1, 10], hour: [12, 2] } as const

function keySql(key: GroupKey, names: Names): string {
  const column = columnSql(key, names)
  if (key.part === undefined) return column
  const date = dateSql(key.column, column)
  if (key.part === 'weekday')
    return `CASE strftime('%w', ${date}) WHEN '0' THEN '7 Sunday' WHEN '1' THEN '1 Monday' WHEN '2' THEN '2 Tuesday' WHEN '3' THEN '3 Wednesday' WHEN '4' THEN '4 Thursday' WHEN '5' THEN '5 Friday' WHEN '6' THEN '6 Saturday' END`
  if (key.part === 'quarter')
    return `substr(${date}, 1, 4) || ' Q' || ((CAST(substr(${date}, 6, 2) AS INTEGER) + 2) / 3)`
  const [from, length] = dateParts[key.part]
  return `substr(${date}, ${from}, ${length})`
}

function fromSql(request: TableRequest): string {
  const main = request.table
  const others = new Map(
    columnsIn(request)
      .filter((ref) => ref.table.table !== main.table)
      .map((ref) => [ref.table.table, ref.table]),
  )
  const joins = [...others.values()].map((other) => joinSql(main, other))
  return `FROM ${[quoteName(main.table), ...joins].join(' ')}`
}

function joinSql(main: TableInfo, other: TableInfo): string {
  const found = findJoin(main, other)
  if (found === undefined) return ''
  const left = `${quoteName(main.table)}.${quoteName(found.left.name)}`
  const right = `${quoteName(other.table)}.${quoteName(found.right.name)}`
  const [list, code] = found.listSide === 'left' ? [left, right] : [right, left]
  const condition = found.list
    ? `',' || ${list} || ',' LIKE '%,' || ${code} || ',%'`
    : `${left} = ${right}`
  return `JOIN ${quoteName(other.table)} ON ${condition}`
}

function whereSql(filters: readonly Filter[], names: Names): string {
  const conditions = filters.map((filter) => conditionSql(filter, (ref) => columnSql(ref, names)))
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
}

function namesFor(request: TableRequest): Names {
  return {
    joined: columnsIn(request).some((ref) => ref.table.table !== request.table.table),
    table: request.table,
  }
}

function columnSql(ref: ColumnRef, names: Names): string {
  return names.joined
    ? `${quoteName(ref.table.table)}.${quoteName(ref.column.name)}`
    : quoteName(ref.column.name)
}

function aliasOf(request: AggregateRequest, index: number): string {
  const key = request.groupBy[index]
  if (key !== undefined) return keyName(key)
  const measure = request.measures[index - request.groupBy.length]
  return measure?.column === undefined
    ? (measure?.name ?? 'value')
    : `${measure.name} ${measure.column.column.name}`
}

function keyName(key: GroupKey): string {
  return key.part ?? key.column.name
}

function columnsOf(measures: readonly Measure[]): readonly ColumnRef[] {
  return measures.flatMap((measure) => [measure.column ?? [], measure.times ?? []].flat())
}

function join(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ')
}
