import type { z } from 'zod'
import type { loadedTableSchema } from '../tools/definitions.ts'

export type Table = z.output<typeof loadedTableSchema>
export type Column = Table['columns'][number]

export function isNumeric({ type }: Column): boolean {
  return type === 'integer' || type === 'real'
}

/** A number that adds up, not one that only identifies rows or is a year. */
export function isAmount(column: Column, table: Table): boolean {
  const { name, type, min = 0, max = 0 } = column
  const isName = /(?:^|[^a-z])(?:id|nr|no|code|key|year.*)$|[a-z](?:Id|ID|No)$/i.test(name)
  const gaps = column === table.columns[0] ? table.rows / 2 : 0
  const isSerial =
    type === 'integer' && namesRows(column, table) && Number(max) - Number(min) < table.rows + gaps
  return isNumeric(column) && !isName && !(isSerial && table.rows > 9)
}

export function namesRows({ distinct, empty }: Column, { rows }: Table): boolean {
  return distinct === rows && empty === 0
}

/** The values of a column that says of each row whether something is so. */
export function yesAndNo({ values = [] }: Column): { yes?: string; no?: string } {
  const yes = values.find((value) => /^(?:yes|true|y|ja)$/i.test(value))
  const no = values.find((value) => /^(?:no|false|n|nein|none)$/i.test(value))
  return values.length <= 2 ? { ...(yes && { yes }), ...(no && { no }) } : {}
}

export function isDate(column: Column): boolean {
  return dateFormOf(column) !== undefined
}

/**
 * The positions of year, month and day in the dates of a column. Undefined if it has no dates, or if their form is not
 * certain.
 */
export function dateFormOf({ type, values = [], examples }: Column) {
  if (type === 'date') return [1, 6, 9]
  const texts = type === 'text' ? [...values, ...examples].map(String) : []
  const areAll = (form: RegExp) => texts.length > 0 && texts.every((text) => form.test(text))
  if (areAll(/^\d{4}-\d\d-\d\d(?:$|[T ])/)) return [1, 6, 9]
  if (!areAll(/^\d\d([./])\d\d\1\d{4}/)) return undefined
  if (texts.some((text) => Number(text.slice(0, 2)) > 12 || text[2] === '.')) return [7, 4, 1]
  return texts.some((text) => Number(text.slice(3, 5)) > 12) ? [7, 1, 4] : undefined
}

export type Statistic = 'sum' | 'mean' | 'median' | 'min' | 'max' | 'different'
type Comparison = 'over' | 'at least' | 'under' | 'at most'
export type Sign = 'is' | 'is not' | 'is empty' | 'is given' | Comparison

/** A column, or a part of its dates. */
export interface Key {
  readonly column: Column
  readonly part?: 'year' | 'month' | 'day'
}

/** What is computed: without a column, the number of rows. */
export interface Measure {
  readonly column?: Column
  readonly as?: Statistic
}

export interface Filter extends Key {
  readonly sign: Sign
  /** The values to compare with, any of which may match; empty for signs that need none. */
  readonly values: readonly (string | number)[]
}

/** What a question asks of one table, with nothing left open. */
export interface Reading {
  readonly table: Table
  readonly show: 'measure' | 'share' | 'rows' | 'histogram' | 'scatter'
  readonly measure: Measure
  /** A scatter plot has two: what is on its y axis, then on its x axis. */
  readonly keys: readonly Key[]
  readonly filters: readonly Filter[]
  /** The first or last groups by the measure. */
  readonly top?: { readonly count: number; readonly end: 'top' | 'bottom' }
  readonly isPlot?: boolean
}

export type Part = Partial<Omit<Reading, 'table'>>

export function toReading(table: Table, part: Part): Reading {
  return { table, show: 'measure', measure: {}, keys: [], filters: [], ...part }
}

type Name = (text: string) => string

/** A reading as a question in its shortest form: it is shown above the answer, and on buttons. */
export function toQuestion(reading: Reading, isQuoted: boolean, table: string): string {
  const { show, measure, keys, filters, top, isPlot } = reading
  const name: Name = (text) => (isQuoted ? inQuotes(text) : text)
  const toText = ({ column, part }: Key) => `${part ? `${part} of ` : ''}${name(column.name)}`
  const groups = keys.map(toText).join(' and ')
  const by = keys.length === 0 ? '' : ` by ${groups}`
  const value = measureText(measure, name)
  const ranked = top ? `${top.end} ${top.count} ${groups} by ${value}` : `${value}${by}`
  const subject = {
    rows: 'list rows',
    share: `share of rows${by}`,
    histogram: `histogram of ${groups}`,
    scatter: `scatter plot of ${keys.map(toText).join(' against ')}`,
    measure: ranked,
  }[show]
  const tests = filters.map(({ sign, values, ...key }) => {
    const texts = values.map((value) => {
      if (typeof value === 'number') return numberText(value)
      if (key.part) return value
      // A value that is not in the list of the column's values is understood in quotes only.
      return key.column.values?.includes(value) ? name(value) : inQuotes(value)
    })
    return [toText(key), sign, texts.join(' or ')].join(' ').trim()
  })
  const where = tests.length === 0 ? '' : ` where ${tests.join(' and ')}`
  const text = `${subject}${where}${table === '' ? '' : ` in ${name(table)}`}`
  return isPlot ? `plot ${text}` : text
}

export function measureText({ column, as }: Measure, name: Name): string {
  if (!column) return 'number of rows'
  return `${as === 'different' ? 'number of different' : `${as} of`} ${name(column.name)}`
}

/** A number as it is read in one way only: 1.125 may have a decimal point or none. */
function numberText(value: number): string {
  return String(value).replace(/^-?\d+\.\d{3}$/, '$&0')
}

function inQuotes(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
