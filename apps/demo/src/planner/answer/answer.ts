import type { Outcome } from '../conversation.ts'
import { isRecord, toList, toNumber, toText } from '../json.ts'
import type {
  AggregateRequest,
  RowsRequest,
  ShareRequest,
  TableRequest,
} from '../tables/request.ts'
import type { ColumnInfo, TableInfo } from '../tables/table-info.ts'
import { formatNumber, wordColumn, wordKey, wordMeasure, wordRequest } from './wording.ts'

export interface QueryResult {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  readonly rowCount: number
  readonly truncated: boolean
}

const shownRows = 20

export function readQueryResult(outcome: Outcome): QueryResult | undefined {
  const output = outcome.output
  if (!isRecord(output) || !Array.isArray(output['rows'])) return undefined
  const rows = toList(output['rows']).map(toList)
  return {
    columns: toList(output['columns']).map(toText),
    rows,
    rowCount: toNumber(output['rowCount']) ?? rows.length,
    truncated: output['truncated'] === true,
  }
}

/** The answer to one question, from the rows that came back. Only numbers from the result are said. */
export function answerQuery(
  request: Exclude<TableRequest, { kind: 'describe' }>,
  outcome: Outcome,
): string {
  if (outcome.failed) return explainFailure(outcome, 'The query')
  const result = readQueryResult(outcome)
  if (result === undefined)
    return 'The query ran, but its result came back cut off, so I give no numbers. Ask for fewer rows.'
  if (request.kind === 'rows') return answerRows(request, result)
  if (request.kind === 'share' && request.groupBy.length === 0) return answerShare(request, result)
  if (request.kind === 'aggregate' && request.countGroups)
    return `**${formatCell(result.rows[0]?.[0])}** groups (${wordRequest(request)}).`
  if (request.groupBy.length === 0 && request.kind === 'aggregate')
    return answerSingle(request, result)
  return answerGroups(request, result)
}

/** Says in plain words why something could not be done. Tool text is quoted, never followed. */
export function explainFailure(outcome: Outcome, what: string): string {
  const said = outcome.text.trim().slice(0, 400)
  if (/^Cancelled/i.test(said))
    return `${what} was cancelled, so there is no result. Ask again if you still want it.`
  if (/^Timed out/i.test(said))
    return `${what} took too long and was stopped (“${said}”). I have no result for it.`
  if (/^The tool crashed/i.test(said))
    return `${what} crashed in its worker (“${said}”). Nothing else was affected; ask again to retry.`
  if (/^Interrupted/i.test(said))
    return `${what} was interrupted before it finished, so there is no result. Ask again to repeat it.`
  if (/^Not run/i.test(said)) return `${what} was not run (“${said}”).`
  return `${what} failed: ${said === '' ? 'no reason was given' : said}`
}

export function describeTable(table: TableInfo): string {
  const lines = table.columns.map(
    (column) =>
      `| ${cell(column.name)} | ${column.type} | ${column.distinct} | ${column.empty} | ${cell(valuesOf(column))} |`,
  )
  const notes =
    table.notes.length === 0 ? '' : `\n\n${table.notes.map((note) => `Note: ${note}`).join('\n')}`
  return `\`${table.table}\` (from ${table.file}) has **${formatNumber(table.rows)}** ${table.rows === 1 ? 'row' : 'rows'} and **${table.columns.length}** ${table.columns.length === 1 ? 'column' : 'columns'}.\n\n| column | type | different | empty | values |\n|---|---|---|---|---|\n${lines.join('\n')}${notes}`
}

/** A small markdown table; longer results say how much is missing. */
export function toMarkdown(result: QueryResult, limit = shownRows, plainColumns = 0): string {
  const rows = result.rows.slice(0, limit)
  const rules = result.columns.map((_, index) =>
    isAmount(rows, index, plainColumns) ? '--:' : '---',
  )
  const head = `| ${result.columns.map(cell).join(' | ')} |\n|${rules.join('|')}|`
  const body = rows.map(
    (row) =>
      `| ${row.map((value, index) => cell(index < plainColumns ? formatKey(value) : formatCell(value))).join(' | ')} |`,
  )
  const missing = result.rowCount - rows.length
  return `${head}\n${body.join('\n')}${missing > 0 && limit > 1 ? `\n\n${formatNumber(missing)} more not shown.` : ''}`
}

/** Amounts stand under each other by their last digit. */
function isAmount(rows: QueryResult['rows'], index: number, plainColumns: number): boolean {
  if (index < plainColumns) return false
  return rows.every((row) => typeof row[index] === 'number' || row[index] === null)
}

export function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '(empty)'
  return typeof value === 'number' ? formatNumber(value) : String(value)
}

/** Years and numbers of things are names here: no thousands separators. */
function formatKey(value: unknown): string {
  return typeof value === 'number' ? String(Math.round(value * 1e6) / 1e6) : formatCell(value)
}

function answerSingle(request: AggregateRequest, result: QueryResult): string {
  const row = result.rows[0] ?? []
  const [measure] = request.measures
  const where = wordRequest({ ...request, measures: [] }).replace(/^ in /, 'in ')
  if (request.measures.length > 1) {
    const lines = request.measures.map(
      (entry, index) => `- ${wordMeasure(entry)}: **${formatCell(row[index])}**`,
    )
    return `${lines.join('\n')}\n\n(${where.trim()})`
  }
  const value = row[0]
  if (value === null || value === undefined)
    return `There is no value to compute from: no row of ${where.trim().replace(/^in /, '')} has one.`
  return `**${formatCell(value)}** is the ${measure === undefined ? 'result' : wordMeasure(measure)} ${where.trim()}.`
}

function answerGroups(request: AggregateRequest | ShareRequest, result: QueryResult): string {
  if (result.rows.length === 0) return `No row matches: ${wordRequest(request)}.`
  const order = request.kind === 'aggregate' ? request.order : undefined
  const reading = `Read as: ${wordRequest(request)}.`
  if (request.kind === 'aggregate' && order?.single === true)
    return `${answerWinner(request, result)}\n\n${reading}`
  const total = request.kind === 'aggregate' ? totalLine(request, result) : ''
  return `${toMarkdown(result, order?.limit ?? 40, request.groupBy.length)}${total}\n\n${reading}`
}

function answerWinner(request: AggregateRequest, result: QueryResult): string {
  const keys = request.groupBy.length
  const best = result.rows[0]?.[keys]
  const tied = result.rows.filter((row) => row[keys] === best)
  const names = tied.map((row) => `**${row.slice(0, keys).map(formatKey).join(', ')}**`)
  const measure = request.measures[0]
  const value = `${measure === undefined ? 'value' : wordMeasure(measure)} **${formatCell(best)}**`
  const others = result.rows
    .slice(tied.length)
    .map((row) => `${row.slice(0, keys).map(formatKey).join(', ')} (${formatCell(row[keys])})`)
  const tie = tied.length > 1 ? ' (a tie)' : ''
  return `${names.join(' and ')}${tie}: ${value}.${others.length > 0 ? ` Next: ${others.join('; ')}.` : ''}`
}

/** Values asked for side by side also get their sum. */
function totalLine(request: AggregateRequest, result: QueryResult): string {
  const measure = request.measures[0]
  const [key] = request.groupBy
  const asked =
    key !== undefined &&
    request.filters.some(
      (filter) => filter.columns[0]?.column === key.column && filter.test.kind === 'one-of',
    )
  if (
    !asked ||
    request.measures.length !== 1 ||
    result.truncated ||
    !/^(?:count|sum)$/.test(measure?.name ?? '')
  )
    return ''
  const sum = result.rows.reduce(
    (total, row) => total + (toNumber(row[request.groupBy.length]) ?? 0),
    0,
  )
  return `\n\nTogether: **${formatNumber(sum)}**.`
}

function answerRows(request: RowsRequest, result: QueryResult): string {
  if (result.rowCount === 0) return `There is no such row (${wordRequest(request)}).`
  if (request.order !== undefined && request.limit === 1) return answerRow(request.order, result)
  const count =
    request.order === undefined
      ? `**${formatNumber(result.rowCount)}** ${inNumber(wordRequest(request), result.rowCount)}.`
      : `The first ${formatNumber(Math.min(request.limit, result.rowCount))} ${wordRequest(request)}.`
  return `${count}\n\n${toMarkdown(result, request.limit, result.columns.length)}`
}

function inNumber(reading: string, rows: number): string {
  return rows === 1 ? reading.replace(/^rows/, 'row') : reading
}

function answerRow(order: NonNullable<RowsRequest['order']>, result: QueryResult): string {
  const at = result.columns.indexOf(order.column.column.name)
  const value = formatCell(result.rows[0]?.[at])
  return `The ${order.direction === 'desc' ? 'largest' : 'smallest'} ${wordColumn(order.column)} is **${value}**, in this row:\n\n${toMarkdown(result, 1, result.columns.length)}`
}

function answerShare(request: ShareRequest, result: QueryResult): string {
  const [part, whole, percent] = result.rows[0] ?? []
  if (toNumber(whole) === undefined || whole === 0)
    return `There is nothing to take a share of (${wordRequest(request)}).`
  return `**${formatCell(percent)} %**: ${formatCell(part)} of ${formatCell(whole)} (${wordRequest(request)}).`
}

export function plotTitle(request: AggregateRequest): string {
  const measures = request.measures.slice(0, 1).map(wordMeasure).join('')
  return `${measures} per ${request.groupBy.map(wordKey).join(' and ')}`.replaceAll('`', '')
}

function valuesOf(column: ColumnInfo): string {
  if (column.min !== undefined && column.max !== undefined)
    return `${formatNumber(column.min)} to ${formatNumber(column.max)}`
  const values = (column.values ?? column.examples).map(String)
  const shown = values.slice(0, 6).join(', ')
  return values.length > 6 || column.values === undefined ? `${shown}, …` : shown
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s+/g, ' ').slice(0, 120)
}
