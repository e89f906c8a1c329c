import type {
  AggregateRequest,
  Filter,
  GroupKey,
  Literal,
  Measure,
  RowsRequest,
  TableRequest,
} from '../tables/request.ts'
import type { ColumnRef, TableInfo } from '../tables/table-info.ts'
import type { FoundHaving } from './having.ts'
import type { FoundMeasure } from './measures.ts'
import { isNumberMention } from './measures.ts'
import type { Ranking } from './ranking.ts'
import { isAdditive, isRanked } from './ranking.ts'
import { revenueOf } from './revenue.ts'
import type { Scan } from './scan.ts'
import { columnOf, isUsed, namesTable, sameColumn } from './scan.ts'
import { contrastOf, distinctMeasures, measuresOf } from './shape-measures.ts'
import type { FoundShare } from './share.ts'

export interface Findings {
  readonly scan: Scan
  readonly groups: readonly GroupKey[]
  readonly having: FoundHaving | undefined
  readonly filters: readonly Filter[]
  readonly measures: readonly FoundMeasure[]
  readonly ranking: Ranking | undefined
  readonly share: FoundShare | undefined
  readonly literals: readonly Literal[]
}

export const defaultRows = 20

const describing =
  /\b(?:(?:what|which|name the|list (?:the|all)?|show (?:me )?(?:the|all)?) ?(?:are the )?(?:columns|fields|attributes|variables)|describe|schema|structure of|columns (?:are|does|do|is)|what(?:'s| is) in (?:the |this |that |my )?\S+(?: (?:table|file|data))?\s*\??$|(?:tell me about|explain|summari[sz]e|overview of) (?:the |this |my )?\S+(?: (?:table|file|data))?\s*\??$|column names|what (?:data|tables?) (?:is|are|do))/i
const listing = /\b(?:list|show|display|print|give me|which|what|find|see|get|who|fetch|name)\b/i

/** Puts what the rules have found together into one request; undefined when nothing was asked. */
export function shapeRequest(found: Findings): TableRequest | undefined {
  const { scan } = found
  const common = commonOf(found)
  if (describing.test(scan.text) && found.measures.length === 0 && !isRanked(found.ranking))
    return { kind: 'describe', ...common, tables: describedTables(scan) }
  if (found.share !== undefined) return toShare(found, found.share)
  if (found.having !== undefined) return toHaving(found, found.having)
  if (found.ranking?.kind === 'groups') return toGroupRanking(found, found.ranking)
  if (found.ranking?.kind === 'rows') {
    const { column, direction, limit } = found.ranking
    return { kind: 'rows', ...common, columns: [], order: { column, direction }, limit }
  }
  const measures = measuresOf(found)
  const contrast =
    found.groups.length === 0 && measures.length > 0 ? contrastOf(found.filters) : undefined
  if (contrast !== undefined)
    return { kind: 'aggregate', ...common, ...contrast, measures, countGroups: false }
  const keyed = found.groups.length > 0 ? found.groups : comparedKeys(found)
  if (measures.length > 0)
    return { kind: 'aggregate', ...common, groupBy: keyed, measures, countGroups: false }
  if (found.groups.length > 0)
    return { kind: 'aggregate', ...common, measures: numberOrCount(scan), countGroups: false }
  return toListing(found)
}

/** What every request says. */
function commonOf({ scan, filters, groups, literals }: Findings) {
  return { table: scan.table, filters, groupBy: groups, literals }
}

function describedTables(scan: Scan): readonly TableInfo[] {
  const named = scan.tables.filter((table) =>
    scan.mentions.some((mention) =>
      mention.tables.some((option) => option.table === table && option.score > 0.5),
    ),
  )
  return named.length > 0 ? named : scan.tables
}

function toShare(found: Findings, share: FoundShare): TableRequest {
  const part = found.filters.filter((filter) => filter.at >= share.verb)
  const base = part.length > 0 ? found.filters.filter((filter) => filter.at < share.verb) : []
  const filters = part.length > 0 ? part : found.filters
  return {
    kind: 'share',
    table: found.scan.table,
    filters,
    base,
    groupBy: found.groups,
    literals: found.literals,
    measure: share.measure,
  }
}

function toHaving(found: Findings, { having, key, countGroups }: FoundHaving): AggregateRequest {
  const measures = distinctMeasures([
    having.measure,
    ...found.measures.map((entry) => entry.measure),
  ])
  const groupBy = [key, ...found.groups.filter((group) => !sameColumn(group, key))]
  return {
    kind: 'aggregate',
    ...commonOf(found),
    groupBy,
    measures: countGroups ? [having.measure] : measures,
    having,
    countGroups,
  }
}

function toGroupRanking(
  found: Findings,
  ranking: Extract<Ranking, { kind: 'groups' }>,
): AggregateRequest {
  const { key, measure, direction, limit, single } = ranking
  const others = found.measures.map((entry) => entry.measure)
  const groupBy = [key, ...found.groups.filter((group) => !sameColumn(group, key))]
  return {
    kind: 'aggregate',
    ...commonOf(found),
    groupBy,
    measures: distinctMeasures([measure, ...others]),
    order: { direction, limit, single },
    countGroups: false,
  }
}

/** "North and South", "Leeds versus York": the values are wanted side by side. */
function comparedKeys(found: Findings): readonly GroupKey[] {
  if (!/\b(?:and|vs|versus|compared)\b/i.test(found.scan.text)) return []
  const compared = found.filters.find(
    (filter) => filter.test.kind === 'one-of' && filter.test.values.length > 1 && !filter.negated,
  )
  const column = compared?.columns[0]
  return column === undefined ? [] : [{ table: column.table, column: column.column }]
}

function numberOrCount(scan: Scan): readonly Measure[] {
  const column = freeColumns(scan).find((ref) => ref.column.type !== 'text')
  const revenue = revenueOf(scan)
  if (revenue !== undefined) return [revenue]
  return [
    column === undefined ? { name: 'count' } : { name: isAdditive(column) ? 'sum' : 'avg', column },
  ]
}

function toListing(found: Findings): TableRequest | undefined {
  const { scan } = found
  const common = {
    table: scan.table,
    filters: found.filters,
    groupBy: found.groups,
    literals: found.literals,
  }
  const tableNamed = scan.mentions.some((mention) => namesTable(scan, mention))
  const columns = freeColumns(scan)
  const [first] = columns
  const asked = listing.test(scan.text)
  const numbers = columns.filter((ref) => ref.column.type !== 'text')
  if (/\btotal\b/i.test(scan.text) && numbers[0] !== undefined)
    return {
      kind: 'aggregate',
      ...common,
      measures: [{ name: 'sum', column: numbers[0] }],
      countGroups: false,
    }
  const category = columns.length === 1 && first !== undefined && first.column.type === 'text'
  if (category && !tableNamed)
    return {
      kind: 'aggregate',
      ...common,
      groupBy: [first],
      measures: [{ name: 'count' }],
      countGroups: false,
    }
  const rowsMeant =
    found.filters.length > 0 && /\b(?:rows?|records?|entries|lines)\b/i.test(scan.text)
  if (!asked && !tableNamed && !rowsMeant && columns.length === 0) return undefined
  if (
    !tableNamed &&
    columns.length === 0 &&
    found.filters.length === 0 &&
    !/\b(?:rows?|records?|entries|everything|all)\b/i.test(scan.text)
  )
    return undefined
  return {
    kind: 'rows',
    ...common,
    columns: withFiltered(columns, found.filters),
    limit: limitOf(scan),
  } satisfies RowsRequest
}

/** Columns that are named and play no other part. */
function freeColumns(scan: Scan): readonly ColumnRef[] {
  const columns: ColumnRef[] = []
  for (const mention of scan.mentions) {
    if (isUsed(scan, mention) || namesTable(scan, mention)) continue
    const column = isNumberMention(scan, mention, 0.55) ?? columnOf(scan, mention)
    const score = columnOf(scan, mention)?.score ?? 0
    if (column !== undefined && score >= 0.5 && !columns.some((other) => sameColumn(other, column)))
      columns.push({ table: column.table, column: column.column })
  }
  return columns
}

function withFiltered(
  columns: readonly ColumnRef[],
  filters: readonly Filter[],
): readonly ColumnRef[] {
  if (columns.length === 0) return []
  const filtered = filters.flatMap((filter) => (filter.columns.length === 1 ? filter.columns : []))
  const extra = filtered.filter((ref) => !columns.some((other) => sameColumn(other, ref)))
  return [...columns, ...extra.map(({ table, column }) => ({ table, column }))]
}

function limitOf(scan: Scan): number {
  const number = scan.tokens.find(
    (token, index) =>
      token.kind === 'number' &&
      !scan.used.has(index) &&
      Number.isInteger(token.value) &&
      token.value > 0,
  )
  return Math.min(number?.value ?? defaultRows, 200)
}
