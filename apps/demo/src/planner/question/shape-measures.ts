import type { Filter, GroupKey, Measure } from '../tables/request.ts'
import type { FoundMeasure } from './measures.ts'
import type { Ranking } from './ranking.ts'
import { revenueOf } from './revenue.ts'
import type { Scan } from './scan.ts'
import { sameColumn } from './scan.ts'

export interface AskedMeasures {
  readonly scan: Scan
  readonly filters: readonly Filter[]
  readonly measures: readonly FoundMeasure[]
  readonly ranking: Ranking | undefined
}

export function measuresOf(found: AskedMeasures): readonly Measure[] {
  const extremes = found.ranking?.kind === 'measures'
  const named = found.measures
    .filter((entry) => !(extremes && entry.loose === true))
    .map((entry) => toRowCount(entry.measure, found.filters))
  const all = [...named, ...(found.ranking?.kind === 'measures' ? found.ranking.measures : [])]
  const revenue = all.length === 0 ? revenueOf(found.scan) : undefined
  return revenue === undefined ? distinctMeasures(all) : [revenue]
}

/** "how many stays lasted over 5 days", "how many remarks mention X": rows are counted when the noun itself is filtered. */
function toRowCount(measure: Measure, filters: readonly Filter[]): Measure {
  const { column } = measure
  if (column === undefined || !measure.counted) return measure
  const filtered = filters.some(
    ({ test, columns }) =>
      /^(?:compare|between|text)$/.test(test.kind) &&
      columns.some((ref) => sameColumn(ref, column)),
  )
  return filtered ? { name: 'count' } : measure
}

/** "emergencies and non-emergencies": both sides of one condition are a comparison. */
export function contrastOf(
  filters: readonly Filter[],
): { readonly filters: readonly Filter[]; readonly groupBy: readonly GroupKey[] } | undefined {
  for (const filter of filters) {
    const [column] = filter.columns
    const opposite = filters.find(
      (other) =>
        other.negated !== filter.negated &&
        JSON.stringify(other.test) === JSON.stringify(filter.test) &&
        other.columns[0]?.column === column?.column,
    )
    if (column === undefined || opposite === undefined) continue
    return {
      filters: filters.filter((other) => other !== filter && other !== opposite),
      groupBy: [{ table: column.table, column: column.column }],
    }
  }
  return undefined
}

export function distinctMeasures(measures: readonly Measure[]): readonly Measure[] {
  const key = (measure: Measure) =>
    `${measure.name} ${measure.column?.table.table} ${measure.column?.column.name}`
  return measures.filter(
    (measure, index) => measures.findIndex((other) => key(other) === key(measure)) === index,
  )
}
