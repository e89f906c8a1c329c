import type { Outcome } from '../conversation.ts'
import { isRecord, toList } from '../json.ts'
import type { Filter, Literal, TableRequest } from '../tables/request.ts'
import { likePattern, quoteName, quoteValue } from '../tables/sql-text.ts'
import type { ColumnRef, TableInfo } from '../tables/table-info.ts'
import { isDate, isNumeric } from '../tables/table-info.ts'

/** Marks filters found in the data: they stood in no known place of the sentence. */
const fromLiteral = Number.MAX_SAFE_INTEGER

export type Resolved =
  | { readonly status: 'ready'; readonly request: TableRequest; readonly notes: readonly string[] }
  | { readonly status: 'ask'; readonly sql: string }
  /** A value the question insists on is in no column. */
  | { readonly status: 'absent'; readonly text: string }

/** Finds out which column holds the words that no list of known values explains, by asking the data. */
export function resolveLiterals(
  request: TableRequest,
  reach: readonly TableInfo[],
  history: readonly Outcome[],
): Resolved {
  const columns = searchable(reach)
  const first = request.literals[0]
  if (first === undefined) return { status: 'ready', request, notes: [] }
  const known = request.literals.map((literal) => knownHits(literal, reach))
  const sql = probeSql(request.literals, columns)
  const outcome = history.findLast(
    (entry) => entry.name === 'sql_query' && entry.input['sql'] === sql,
  )
  const isFound = ({ text }: Literal, hits: readonly Hit[]) =>
    hits.some(({ value }) => value.toLowerCase() === text.toLowerCase())
  const askable =
    columns.length > 0 &&
    request.literals.some((literal, index) => !isFound(literal, known[index] ?? []))
  if (outcome === undefined && askable) return { status: 'ask', sql }
  const filters: Filter[] = []
  const notes: string[] = []
  for (const [index, literal] of request.literals.entries()) {
    const hits = [...(known[index] ?? []), ...rowsFor(outcome, index)]
    const filter = toFilter(literal, hits, reach)
    if (filter !== undefined) addFilter(filters, filter)
    else if (literal.certain) return { status: 'absent', text: literal.text }
    else notes.push(`I could not place the word “${literal.text}” and left it out.`)
  }
  // "and in Spain?" after a question about Germany: the newer value takes the place of the older.
  const kept = request.filters.filter(
    (filter) =>
      filter.at !== fromLiteral ||
      !filters.some((other) => other.columns[0]?.column === filter.columns[0]?.column),
  )
  return {
    status: 'ready',
    request: { ...request, filters: [...kept, ...filters], literals: [] },
    notes,
  }
}

/** "France and Spain": two values of one column, either will do. */
function addFilter(filters: Filter[], filter: Filter): void {
  const at = filters.findIndex(
    (other) =>
      other.columns[0]?.column === filter.columns[0]?.column && other.negated === filter.negated,
  )
  const before = filters[at]
  if (before?.test.kind !== 'one-of' || filter.test.kind !== 'one-of') filters.push(filter)
  else
    filters[at] = {
      ...before,
      test: { kind: 'one-of', values: [...before.test.values, ...filter.test.values] },
    }
}

/** Where all values of a column are known, nobody needs to be asked. An ordinary word must be the whole value. */
function knownHits(literal: Literal, reach: readonly TableInfo[]): readonly Hit[] {
  const text = literal.text.toLowerCase()
  return reach.flatMap(({ table, columns }) =>
    columns.flatMap((column) =>
      isNumeric(column)
        ? []
        : (column.values ?? [])
            .filter((value) => value.toLowerCase() === text || isCertainIn(literal, value))
            .map((value) => ({ table, column: column.name, value })),
    ),
  )
}

function isCertainIn({ certain, text }: Literal, value: string): boolean {
  return certain && value.toLowerCase().includes(text.toLowerCase())
}

/** Text columns whose values are not all known, the main table's first. */
function searchable(reach: readonly TableInfo[]): readonly ColumnRef[] {
  return reach
    .flatMap((table) =>
      table.columns
        .filter((column) => !isNumeric(column) && !isDate(column) && column.values === undefined)
        .map((column) => ({ table, column })),
    )
    .slice(0, 12)
}

function probeSql(literals: readonly Literal[], columns: readonly ColumnRef[]): string {
  const parts = literals.flatMap(({ text }, index) =>
    columns.map(({ table, column }) => {
      const name = quoteName(column.name)
      return `SELECT ${index} AS "word", ${quoteValue(table.table)} AS "table", ${quoteValue(column.name)} AS "column", ${name} AS "value" FROM ${quoteName(table.table)} WHERE ${name} ${likePattern(text, 'contains')} GROUP BY ${name}`
    }),
  )
  return `SELECT * FROM (${parts.join(' UNION ALL ')}) ORDER BY "word", length("value") LIMIT 60`
}

interface Hit {
  readonly table: string
  readonly column: string
  readonly value: string
}

function rowsFor(outcome: Outcome | undefined, word: number): readonly Hit[] {
  const rows = isRecord(outcome?.output) ? toList(outcome.output['rows']) : []
  return rows.flatMap((row) => {
    const [index, table, column, value] = toList(row)
    return index === word &&
      typeof table === 'string' &&
      typeof column === 'string' &&
      typeof value === 'string'
      ? [{ table, column, value }]
      : []
  })
}

/** Equal beats "begins with", which beats "contains"; a few contained values are taken together. */
function toFilter(
  literal: Literal,
  hits: readonly Hit[],
  reach: readonly TableInfo[],
): Filter | undefined {
  const text = literal.text.toLowerCase()
  const rank = ({ value }: Hit) =>
    value.toLowerCase() === text ? 0 : wordStart(value.toLowerCase(), text) ? 1 : 2
  const best = [...hits].sort((a, b) => rank(a) - rank(b))[0]
  if (best === undefined) return undefined
  // `P1` is not a part of `P10`.
  if (rank(best) === 2 && (!literal.certain || /\d/.test(text))) return undefined
  const table = reach.find((candidate) => candidate.table === best.table)
  const column = table?.columns.find((candidate) => candidate.name === best.column)
  if (table === undefined || column === undefined) return undefined
  const same = hits.filter(
    (hit) => hit.column === best.column && hit.table === best.table && rank(hit) === rank(best),
  )
  const common = { columns: [{ table, column }], negated: literal.negated, at: fromLiteral }
  if (same.length > 10)
    return { ...common, test: { kind: 'text', place: 'contains', text: literal.text } }
  return { ...common, test: { kind: 'one-of', values: same.map((hit) => hit.value) } }
}

function wordStart(value: string, text: string): boolean {
  return (
    ` ${value} `.includes(` ${text} `) ||
    value.startsWith(`${text} `) ||
    value.startsWith(`${text},`)
  )
}
