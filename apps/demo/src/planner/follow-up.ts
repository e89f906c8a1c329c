import type { ReadQuestion } from './question/question.ts'
import { sameColumn } from './question/scan.ts'
import type { AggregateRequest, Filter, Measure, TableRequest } from './tables/request.ts'
import type { ColumnRef } from './tables/table-info.ts'

/** Fills what a short question leaves out from the question before it. */
export function completeFrom(
  previous: TableRequest | undefined,
  read: ReadQuestion,
  sameMessage: boolean,
): TableRequest {
  const current = read.request
  const leans = read.pronoun || read.bare || (read.leaning && !sameMessage)
  if (
    previous === undefined ||
    !leans ||
    current.kind === 'describe' ||
    previous.kind === 'describe'
  )
    return current
  const filters = mergeFilters(previous.filters, current.filters)
  const table =
    current.groupBy.length > 0 && current.table !== previous.table ? current.table : previous.table
  const base = { ...current, table, filters }
  if (!read.asks) return replaceParts(previous, { ...base, groupBy: current.groupBy })
  if (base.kind !== 'aggregate') return base
  const groupBy =
    base.groupBy.length === 0 && read.leaning && !sameMessage ? previous.groupBy : base.groupBy
  return {
    ...base,
    groupBy,
    measures: base.measures.map((measure) => completeMeasure(measure, previous, read)),
  }
}

/** "and in the South?": everything stays as it was, apart from what is said. */
function replaceParts(previous: TableRequest, change: TableRequest): TableRequest {
  const groupBy = change.groupBy.length > 0 ? change.groupBy : previous.groupBy
  const common = { filters: change.filters, groupBy, literals: change.literals }
  if (previous.kind === 'aggregate') return withoutOldOrder({ ...previous, ...common }, change)
  if (previous.kind === 'rows' && change.groupBy.length > 0)
    return {
      kind: 'aggregate',
      table: previous.table,
      ...common,
      measures: [{ name: 'count' }],
      countGroups: false,
    }
  return { ...previous, ...common }
}

/** A new grouping is not ranked as the old one was. */
function withoutOldOrder(request: AggregateRequest, change: TableRequest): AggregateRequest {
  if (change.groupBy.length === 0 || request.order === undefined) return request
  const { order: _, ...rest } = request
  return rest
}

function completeMeasure(measure: Measure, previous: TableRequest, read: ReadQuestion): Measure {
  if (!read.guessed) return measure
  const before = previous.kind === 'aggregate' ? previous.measures[0] : undefined
  if (measure.name === 'count')
    return before !== undefined && /^(?:distinct|sum)$/.test(before.name) && read.bare
      ? before
      : measure
  const column = before?.name === 'distinct' ? undefined : (before?.column ?? numberIn(previous))
  return column === undefined ? measure : { name: measure.name, column }
}

function numberIn(previous: TableRequest): ColumnRef | undefined {
  if (
    previous.kind === 'rows' &&
    previous.order !== undefined &&
    previous.order.column.column.type !== 'text'
  )
    return previous.order.column
  return previous.filters
    .flatMap((filter) => filter.columns)
    .find((ref) => ref.column.type !== 'text')
}

function mergeFilters(before: readonly Filter[], now: readonly Filter[]): readonly Filter[] {
  const columns = now.flatMap((filter) => filter.columns)
  const kept = before.filter(
    (filter) => !filter.columns.some((ref) => columns.some((other) => sameColumn(ref, other))),
  )
  return [...kept, ...now]
}
