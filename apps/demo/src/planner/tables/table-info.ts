import { isRecord, toList, toNumber, toText } from '../json.ts'

export interface ColumnInfo {
  readonly name: string
  readonly type: 'integer' | 'real' | 'text'
  readonly empty: number
  readonly distinct: number
  readonly values?: readonly string[]
  readonly examples: readonly (string | number)[]
  readonly min?: number
  readonly max?: number
}

/** What load_table said about a table. */
export interface TableInfo {
  readonly table: string
  readonly file: string
  readonly rows: number
  readonly columns: readonly ColumnInfo[]
  readonly notes: readonly string[]
}

export interface ColumnRef {
  readonly table: TableInfo
  readonly column: ColumnInfo
}

export function readTableInfo(value: unknown): TableInfo | undefined {
  if (!isRecord(value) || toText(value['table']) === '') return undefined
  const columns = toList(value['columns']).flatMap((entry) => readColumn(entry) ?? [])
  if (columns.length === 0) return undefined
  return {
    table: toText(value['table']),
    file: toText(value['file']),
    rows: toNumber(value['rows']) ?? 0,
    columns,
    notes: toList(value['notes']).filter((note) => typeof note === 'string'),
  }
}

export function isNumeric(column: ColumnInfo): boolean {
  return column.type !== 'text'
}

/** A number that only names something: adding or averaging it means nothing. */
export function isIdentifier(table: TableInfo, column: ColumnInfo): boolean {
  const named =
    /(?:^|[_\s-])(?:id|no|nr|number|code|key|uuid|ref)$|(?:[a-z])(?:Id|ID|No|Nr|Code|Key)$/i.test(
      column.name,
    )
  return (
    named &&
    (column.type === 'text' || column.distinct >= table.rows * 0.5 || /id$/i.test(column.name))
  )
}

export function isYear(column: ColumnInfo): boolean {
  return column.type === 'integer' && (column.min ?? 0) >= 1800 && (column.max ?? 9999) <= 2200
}

export type DateFormat = 'iso' | 'day-first' | 'month-first'

export function dateFormatOf(column: ColumnInfo): DateFormat | undefined {
  if (column.type !== 'text') return undefined
  const samples = column.examples.map(String)
  if (samples.length === 0) return undefined
  if (samples.every((text) => /^\d{4}-\d{2}-\d{2}(?:$|[T ])/.test(text))) return 'iso'
  if (!samples.every((text) => /^\d{2}[/.]\d{2}[/.]\d{4}/.test(text))) return undefined
  return samples.some((text) => Number(text.slice(3, 5)) > 12) ? 'month-first' : 'day-first'
}

export function isDate(column: ColumnInfo): boolean {
  return dateFormatOf(column) !== undefined
}

/** `AD` or `AE,OM,RE`: a list of codes that another table explains. */
export function isCodeList(column: ColumnInfo): boolean {
  const samples = (column.values ?? column.examples).map(String)
  const listed = samples.every((text) => /^[A-Z]{2,3}(?:,[A-Z]{2,3})*$/.test(text))
  const several = samples.some((text) => text.includes(',')) || /codes$/i.test(column.name)
  return column.type === 'text' && samples.length > 0 && listed && several
}

/** A short code that is different in every row. */
export function isCode(table: TableInfo, column: ColumnInfo): boolean {
  const samples = (column.values ?? column.examples).map(String)
  const short = samples.length > 0 && samples.every((text) => /^[A-Z]{2,3}$/.test(text))
  return column.type === 'text' && short && column.distinct >= table.rows
}

const yes: readonly string[] = ['yes', 'true', 'y', 't', '1']
const no: readonly string[] = ['no', 'false', 'n', 'f', '0']

/** How a yes/no column writes its yes and its no. */
export function flagOf(
  column: ColumnInfo,
): { readonly yes: string | number; readonly no: string | number } | undefined {
  if (column.type === 'integer' && column.min === 0 && column.max === 1) return { yes: 1, no: 0 }
  const values = column.values ?? []
  if (values.length === 0 || values.length > 2) return undefined
  const yesValue = values.find((value) => yes.includes(value.toLowerCase()))
  const noValue = values.find((value) => no.includes(value.toLowerCase()))
  if (yesValue === undefined && noValue === undefined) return undefined
  if (values.length === 2 && (yesValue === undefined || noValue === undefined)) return undefined
  return { yes: yesValue ?? 'yes', no: noValue ?? 'no' }
}

/** Something rows can be grouped by: few different values, or text that repeats. */
export function isCategory(table: TableInfo, column: ColumnInfo): boolean {
  if (isDate(column)) return false
  if (column.type === 'real') return false
  if (column.type === 'integer') return isYear(column) || isIdentifier(table, column)
  return true
}

function readColumn(value: unknown): ColumnInfo | undefined {
  if (!isRecord(value) || typeof value['name'] !== 'string') return undefined
  const type = value['type'] === 'integer' || value['type'] === 'real' ? value['type'] : 'text'
  const min = toNumber(value['min'])
  const max = toNumber(value['max'])
  return {
    name: value['name'],
    type,
    empty: toNumber(value['empty']) ?? 0,
    distinct: toNumber(value['distinct']) ?? 0,
    ...(Array.isArray(value['values'])
      ? { values: value['values'].filter((entry) => typeof entry === 'string') }
      : {}),
    examples: toList(value['examples']).filter(
      (entry) => typeof entry === 'string' || typeof entry === 'number',
    ),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
  }
}
