import { plot } from '../tools/plot/plot-definition.ts'
import type { Said } from './talk.fixtures.ts'

/** What an answer must hold: numbers as its result, rows of a label and its number, or labels. */
export interface Expected {
  readonly numbers?: readonly number[]
  readonly pairs?: readonly (readonly [label: string, value: number])[]
  readonly labels?: readonly string[]
  /** How far a number may be off. */
  readonly tolerance?: number
  /** No other rows. */
  readonly rows?: number
  readonly ordered?: boolean
  readonly chart?: boolean
}

/** Whether the answer holds that. A number in a larger table is no result. */
export function holds(said: Said, expected: Expected): boolean {
  const lines = said.text.split('\n').filter((line) => !line.startsWith('I read this as'))
  const table = lines
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(' | '))
  const plots = said.turns.flat().filter((call) => call.startsWith('plot '))
  const rows = plots.length > 0 ? plots.flatMap(drawnRows) : table.slice(2)
  const bold = [...lines.join('\n').matchAll(/\*\*([^*]+)\*\*/g)].map(([, text = '']) => text)
  const results = [
    ...(rows.length === 0 ? bold : []),
    ...(rows.length === 1 ? rows.flat() : []),
  ].map(toNumber)
  const { numbers = [], pairs = [], labels = [], tolerance = 0 } = expected
  const isNear = (one: number, other: number): boolean =>
    Math.abs(one - other) <= tolerance + 0.0051
  const isRow = (row: readonly string[], [label, value]: readonly [string, number]): boolean =>
    row.includes(label) && row.some((cell) => isNear(toNumber(cell), value))
  const order = pairs.map((pair) => rows.findIndex((row) => isRow(row, pair)))
  return (
    numbers.every((number) => results.some((result) => isNear(result, number))) &&
    order.every((at) => at >= 0) &&
    labels.every((label) => rows.flat().includes(label)) &&
    (expected.rows === undefined || rows.length === expected.rows) &&
    (!expected.ordered || pairs.every(([, value], at) => value <= (pairs[at - 1]?.[1] ?? value))) &&
    (!expected.chart || plots.length > 0)
  )
}

function toNumber(text: string): number {
  return Number(text.replace(/[, %]/g, '') || Number.NaN)
}

/** What a plot shows, instead of a table. */
function drawnRows(call: string): readonly (readonly string[])[] {
  const drawn: unknown = JSON.parse(call.slice('plot '.length))
  const { labels, values } = plot.inputSchema.parse(drawn)
  return labels.map((label, at) => [String(label), String(values[at])])
}
