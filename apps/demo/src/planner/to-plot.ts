import { sqlQuery } from '../tools/definitions.ts'
import { type Outcome, outputOf } from './conversation.ts'
import { type PlannedCall, toCall } from './direct-calls.ts'
import { isInTime, periodAfter, periodOf } from './periods.ts'
import { binWidth } from './query.ts'
import type { Reading } from './reading.ts'

type Row = readonly (string | number | null)[]

const mostPoints = 200

/** The plot that a question asks for, once its rows are there. None where there is nothing to draw. */
export function toPlot(reading: Reading, outcome: Outcome): PlannedCall | undefined {
  const { columns = [], rows = [], rowCount = 0 } = outputOf(outcome, sqlQuery.outputSchema) ?? {}
  const { isPlot, show, keys, top, measure } = reading
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
    const [key] = keys
    const xLabel = key?.column.name.slice(0, 80)
    const width = key ? binWidth(key.column) : 1
    const edge: Label = (first, further) => Number((Number(first) + further * width).toFixed(12))
    return draw(look, withoutGaps(rows, edge, 0), { xLabel, yLabel: names[1] })
  }
  const [xLabel, yLabel] = names
  const shown = rows.slice(0, 100)
  const labels = shown.flatMap(([label]) => (label === null ? [] : String(label)))
  // A ranking is not in the order of time.
  const period = keys[0] && isInTime(keys[0]) && !top ? periodOf(labels) : undefined
  const title = `${yLabel} by ${xLabel}${part(shown.length, rowCount)}`
  const look = { kind: period ? 'line' : 'bar', title }
  if (!period || shown.length < rowCount) return draw(look, shown, { xLabel, yLabel })
  const span: Label = (first, later) => periodAfter(String(first), later, period)
  const { as } = measure
  const none = as === undefined || as === 'sum' || as === 'different' ? 0 : null
  return draw(look, withoutGaps(rows, span, none), { xLabel, yLabel })
}

/** Makes the label that comes `further` places after the first. */
type Label = (first: string | number, further: number) => string | number

function part(shown: number, all: number): string {
  return shown < all ? `, ${shown} of ${all}` : ''
}

function draw(look: object, rows: readonly Row[], axes: object): PlannedCall | undefined {
  const labels = rows.map(([label]) => label ?? '(empty)')
  const values = rows.map(([, value]) => (typeof value === 'number' ? value : null))
  if (values.every((value) => value === null)) return undefined
  return toCall('plot', { ...look, labels, values, ...axes })
}

/**
 * Adds the labels between the first and the last that no row has. `none`: their value, 0 for counts and sums, else
 * `null`.
 */
function withoutGaps(rows: readonly Row[], labelAt: Label, none: 0 | null): readonly Row[] {
  const given = rows.filter(([label]) => label !== null)
  const known = new Map(given.map((row) => [String(row[0]), row]))
  const first = given[0]?.[0] ?? ''
  const filled: Row[] = []
  for (let at = 0; filled.length < mostPoints && known.size > 0; at += 1) {
    const label = labelAt(first, at)
    filled.push(known.get(String(label)) ?? [label, none])
    known.delete(String(label))
  }
  // A row was not reached: there are too many labels to draw, or it names a time that no calendar has.
  if (known.size > 0) return rows
  return [...rows.filter(([label]) => label === null), ...filled]
}
