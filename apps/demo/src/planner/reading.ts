import type { Column, Table } from './columns.ts'

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
  /** One of these; none for the signs that need no value. */
  readonly values: readonly (string | number)[]
}

/** What a question asks of one table, with nothing left open. */
export interface Reading {
  readonly table: Table
  readonly show: 'measure' | 'share' | 'rows'
  readonly measure: Measure
  readonly keys: readonly Key[]
  readonly filters: readonly Filter[]
  /** The first or last groups by the measure. */
  readonly top?: { readonly count: number; readonly end: 'top' | 'bottom' }
  readonly plot?: 'bar' | 'line'
}

/** Some of a reading. */
export type Part = Partial<Omit<Reading, 'table'>>

export function toReading(table: Table, part: Part): Reading {
  return { table, show: 'measure', measure: {}, keys: [], filters: [], ...part }
}

type Name = (text: string) => string

/** A reading as a question in its shortest form: this is shown, and this is what buttons ask. */
export function toQuestion(reading: Reading, isQuoted: boolean, table: string): string {
  const { show, measure, keys, filters, top, plot } = reading
  const name: Name = (text) => (isQuoted ? inQuotes(text) : text)
  const toText = ({ column, part }: Key) => `${part ? `${part} of ` : ''}${name(column.name)}`
  const groups = keys.map(toText).join(' and ')
  const by = keys.length === 0 ? '' : ` by ${groups}`
  const value = measureText(measure, name)
  const ranked = top ? `${top.end} ${top.count} ${groups} by ${value}` : `${value}${by}`
  const subject = show === 'rows' ? 'list rows' : show === 'share' ? `share of rows${by}` : ranked
  const tests = filters.map(({ sign, values, ...key }) => {
    const isListed = (value: string): boolean => key.column.values?.includes(value) === true
    // A value that is not known as one is understood in quotes only.
    const texts = values.map((value) => {
      if (typeof value === 'number' || key.part) return String(value)
      return isListed(value) ? name(value) : inQuotes(value)
    })
    return [toText(key), sign, texts.join(' or ')].join(' ').trim()
  })
  const where = tests.length === 0 ? '' : ` where ${tests.join(' and ')}`
  const text = `${subject}${where}${table === '' ? '' : ` in ${name(table)}`}`
  return plot ? `plot ${text} as a ${plot} chart` : text
}

export function measureText({ column, as }: Measure, name: Name): string {
  if (!column) return 'number of rows'
  return `${as === 'different' ? 'number of different' : `${as} of`} ${name(column.name)}`
}

function inQuotes(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
