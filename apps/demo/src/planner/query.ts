import { roundStep } from '../tools/plot/scale.ts'
import { quoteName } from '../tools/table/names.ts'
import { isInTime } from './periods.ts'
import {
  type Column,
  dateFormOf,
  type Filter,
  isDate,
  isNumeric,
  type Key,
  measureText,
  type Reading,
  type Table,
} from './reading.ts'

/** The SELECT that answers a reading. Names and values in it are quoted, whatever they hold. */
export function toSql(reading: Reading): string {
  const { table, filters, show, keys } = reading
  if (show === 'rows') return `SELECT * ${fromSql(table, filters)}`
  if (show === 'histogram') return binsSql(reading)
  if (show === 'scatter') return pairsSql(reading)
  if (show === 'measure' || keys.length > 0) return groupsSql(reading)
  const counts = `COUNT(CASE WHEN ${filters.map(filterSql).join('')} THEN 1 END) AS p, COUNT(*) AS w`
  const inner = `SELECT ${counts} ${fromSql(table, [])}`
  return `SELECT p AS "part", w AS "whole", 100.0 * p / w AS "percent" FROM (${inner})`
}

/** The width of a bin: a round number, so that there are about a dozen. */
export function binWidth({ type, min = 0, max = 0 }: Column): number {
  const range = Number(max) - Number(min)
  const width = range > 0 ? roundStep(range / mostBins) : 1
  return type === 'integer' ? Math.max(1, width) : width
}

const mostBins = 15

function binsSql({ table, keys: [key], filters }: Reading): string {
  if (!key) return ''
  const width = binWidth(key.column)
  // 0.3 / 0.1 is a little less than 3.
  const edge = `ROUND(FLOOR(${keySql(key)} / ${width} + 1e-9) * ${width}, 12)`
  const names = `k AS ${quoteName(`${key.column.name} from`)}, COUNT(*) AS "number of rows"`
  const some = `SELECT ${edge} AS k ${fromSql(table, filters)}`
  return `SELECT ${names} FROM (${some}) WHERE k IS NOT NULL GROUP BY k ORDER BY k`
}

/** The SELECT of a scatter plot. Of more rows than it has points it takes every second, third, … */
function pairsSql({ table, keys, filters }: Reading): string {
  const columns = keys.map((key, at) => `${keySql(key)} AS k${at}`).join(', ')
  const given = `SELECT * FROM (SELECT ${columns} ${fromSql(table, filters)}) WHERE k0 IS NOT NULL AND k1 IS NOT NULL`
  const counted = `SELECT *, ROW_NUMBER() OVER () AS n, COUNT(*) OVER () AS c FROM (${given})`
  const names = keys.map(({ column }, at) => `k${at} AS ${quoteName(column.name)}`).join(', ')
  return `SELECT ${names}, c AS "of rows" FROM (${counted}) WHERE n % ((c + 199) / 200) = 0`
}

/** Keys first, then the value. Rows that are equal to the last one of a ranking belong to it. */
function groupsSql(reading: Reading): string {
  const { keys, measure, top, show } = reading
  const names = keys.map(({ column, part }, at) => `k${at} AS ${quoteName(part ?? column.name)}`)
  const value = `m AS ${quoteName(measureText(measure, (name) => name))}`
  const shares = show === 'share' ? ['100.0 * m / SUM(m) OVER () AS "percent"'] : []
  const selected = [...names, value, ...shares].join(', ')
  const order = top?.end === 'bottom' ? 'm ASC' : 'm DESC'
  const isNatural = !top && keys.some((key) => isInTime(key) || isNumeric(key.column))
  const sorted = keys.length === 0 ? '' : ` ORDER BY ${isNatural ? '' : `${order}, `}k0`
  const groups = groupedSql(reading)
  if (!top) return `SELECT ${selected} FROM (${groups})${sorted}`
  const some = `FROM (${groups}) WHERE k0 IS NOT NULL AND m IS NOT NULL`
  const ranked = `SELECT *, RANK() OVER (ORDER BY ${order}) AS r ${some}`
  return `SELECT ${selected} FROM (${ranked}) WHERE r <= ${top.count}${sorted}`
}

// SQLite has no median: it is the mean of the one or two in the middle.
const median = 'AVG(CASE WHEN n IN ((c + 1) / 2, (c + 2) / 2) THEN v END)'
const functions = { different: 'COUNT(DISTINCT v)', mean: 'AVG(v)', median } as const

/** Columns k0, k1 and m, of rows with keys k0 and k1 and a value v. */
function groupedSql({ table, keys, filters, measure: { column, as } }: Reading): string {
  const names = keys.map((_, at) => `k${at}`)
  const by = (words: string): string => (names.length > 0 ? `${words} BY ${names.join(', ')}` : '')
  // Dates are read by their parts, because those that start with the day do not sort as text.
  const isDay = column && isDate(column) && as !== 'different'
  const value = column ? keySql({ column, ...(isDay && { part: 'day' }) }) : '1'
  const columns = [...keys.map((key, at) => `${keySql(key)} AS k${at}`), `${value} AS v`]
  const rows = `SELECT ${columns.join(', ')} ${fromSql(table, filters)}`
  const place = `ROW_NUMBER() OVER (${by('PARTITION')} ORDER BY v IS NULL, v) AS n`
  const numbered = `SELECT *, ${place}, COUNT(v) OVER (${by('PARTITION')}) AS c FROM (${rows})`
  const isPlain = as === 'sum' || as === 'min' || as === 'max'
  const measure = !as ? 'COUNT(*)' : isPlain ? `${as}(v)` : functions[as]
  const from = `FROM (${as === 'median' ? numbered : rows}) ${by('GROUP')}`
  return `SELECT ${[...names, `${measure} AS m`].join(', ')} ${from}`
}

function fromSql(table: Pick<Table, 'table'>, filters: readonly Filter[]): string {
  const where = filters.length === 0 ? '' : ` WHERE ${filters.map(filterSql).join(' AND ')}`
  return `FROM ${quoteName(table.table)}${where}`
}

const lengths = { year: 4, month: 7, day: 10 } as const

/** The SQL of a key. A value that is no date has no month or year. */
function keySql({ column, part }: Key): string {
  const name = quoteName(column.name)
  if (!part) return name
  const [year, month, day] = dateFormOf(column) ?? []
  const pieces = [`${year}, 4`, `${month}, 2`, `${day}, 2`].map((at) => `substr(${name}, ${at})`)
  const date = pieces.join(" || '-' || ")
  const isDate = `${date} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'`
  return `CASE WHEN ${isDate} THEN substr(${date}, 1, ${lengths[part]}) END`
}

const operators = { over: '>', 'at least': '>=', under: '<', 'at most': '<=' } as const

function filterSql({ sign, values, ...key }: Filter): string {
  const name = keySql(key)
  const list = values.map(quoteValue).join(', ')
  if (sign === 'is empty') return `${name} IS NULL`
  if (sign === 'is given') return `${name} IS NOT NULL`
  // Of values that are not listed, the spelling may differ.
  const any = key.column.values || isNumeric(key.column) ? name : `${name} COLLATE NOCASE`
  if (sign === 'is') return `${any} IN (${list})`
  if (sign === 'is not') return `(${any} NOT IN (${list}) OR ${name} IS NULL)`
  return `${name} ${operators[sign]} ${list}`
}

function quoteValue(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
}
