import { sqlQuery } from '../tools/definitions.ts'
import { type Outcome, outputOf } from './conversation.ts'
import { type PlannedCall, toCall } from './direct-calls.ts'
import { binWidth } from './query.ts'
import type { Reading } from './reading.ts'

type Row = readonly (string | number | null)[]

const mostPoints = 200

/** The plot that a question asks for, once its rows are there. None where there is nothing to draw. */
export function toPlot(reading: Reading, outcome: Outcome): PlannedCall | undefined {
  const { columns = [], rows = [], rowCount = 0 } = outputOf(outcome, sqlQuery.outputSchema) ?? {}
  const { isPlot, show, keys, top } = reading
  if (!isPlot && show !== 'histogram' && show !== 'scatter') return undefined
  const names = columns.map((name) => name.slice(0, 80))
  if (show === 'scatter') {
    const [yLabel, xLabel] = names
    const all = Number(rows[0]?.[2] ?? 0)
    const look = { kind: show, title: `${yLabel} against ${xLabel}${part(rows.length, all)}` }
    const turned = rows.map(([y = null, x = null]): Row => [x, y])
    return draw(look, turned, { xLabel, yLabel })
  }
  if (show === 'histogram') {
    const look = { kind: show, title: `Histogram of ${keys[0]?.column.name.slice(0, 80)}` }
    const xLabel = keys[0]?.column.name.slice(0, 80)
    return draw(look, withoutGaps(rows, reading), { xLabel, yLabel: names[1] })
  }
  const [xLabel, yLabel] = names
  // A ranking is not in the order of time.
  const isTime = keys[0]?.part !== undefined && !top
  const shown = rows.slice(0, 100)
  const title = `${yLabel} by ${xLabel}${part(shown.length, rowCount)}`
  const points = isTime && shown.length === rowCount ? withoutGaps(rows, reading) : shown
  return draw({ kind: isTime ? 'line' : 'bar', title }, points, { xLabel, yLabel })
}

function part(shown: number, all: number): string {
  return shown < all ? `, ${shown} of ${all}` : ''
}

function draw(look: object, rows: readonly Row[], axes: object): PlannedCall | undefined {
  const labels = rows.map(([label]) => label ?? '(empty)')
  const values = rows.map(([, value]) => (typeof value === 'number' ? value : null))
  if (values.every((value) => value === null)) return undefined
  return toCall('plot', { ...look, labels, values, ...axes })
}

/** With what no row is in, between the first and the last: nothing to count or to add up, or no value at all. */
function withoutGaps(
  rows: readonly Row[],
  { keys, measure: { as }, show }: Reading,
): readonly Row[] {
  const known = new Map(rows.map((row) => [row[0], row]))
  const [first = null, last = null] = [rows.find(([name]) => name !== null)?.[0], rows.at(-1)?.[0]]
  const [key] = keys
  if (first === null || last === null || !key) return rows
  const none = as === undefined || as === 'sum' || as === 'different' ? 0 : null
  const filled: Row[] = rows.filter(([name]) => name === null)
  const width = binWidth(key.column)
  for (let at = 0; filled.length < mostPoints; at += 1) {
    const name =
      show === 'histogram' ? edgeAt(Number(first), at * width) : dateAt(String(first), at)
    filled.push(known.get(name) ?? [name, none])
    if (name === last) return filled
  }
  // Too many to be drawn.
  return rows
}

function edgeAt(first: number, further: number): number {
  return Number((first + further).toFixed(12))
}

/** The year, the month or the day that comes so many later. */
function dateAt(first: string, later: number): string {
  const [year = 0, month = 1, day = 1] = first.split('-').map(Number)
  const add = (length: number): number => (first.length === length ? later : 0)
  const date = new Date(Date.UTC(year + add(4), month - 1 + add(7), day + add(10)))
  return date.toISOString().slice(0, first.length)
}
