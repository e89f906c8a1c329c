import { ToolError, type ToolInput } from '@offthread/core'
import type { PlotOutput, plot } from './plot-definition.ts'
import { createScale, type Scale } from './scale.ts'

/** The width of a text as the plot will show it. */
export type Measure = (text: string) => number

export type PlotInput = ToolInput<typeof plot>

/** The width and the height of a plot, in pixels where it is not scaled. */
interface Size {
  readonly width: number
  readonly height: number
}

const usualSize: Size = { width: 640, height: 360 }
const lineHeight = 16
const gap = 8
const longestLabel = 18
// The width and the height of a text at 45 degrees, as a share of its length.
const slant = Math.SQRT1_2

export function layoutPlot(input: PlotInput, measure: Measure, size = usualSize): PlotOutput {
  const { width, height } = size
  const { kind, title, values, xLabel, yLabel } = input
  const scale = createScale(knownValues(input), kind === 'bar')
  const names = input.labels.map((label) => shorten(String(label)))
  const widest = Math.max(...names.map(measure))
  const widestTick = Math.max(...scale.ticks.map(({ text }) => measure(text)))
  const left = widestTick + gap * 2 + (yLabel ? lineHeight : 0)
  const right = width - gap * 2
  const slanted = widest + gap > (right - left) / names.length
  const below = (slanted ? widest * slant : 0) + lineHeight + gap + (xLabel ? lineHeight : 0)
  const area = {
    // The first slanted name extends to the left of its mark.
    left: round(slanted ? Math.max(left, widest * slant) : left),
    top: gap * 2,
    right,
    bottom: round(height - below),
  }
  const marks = placeMarks(input, area, scale)
  return {
    kind,
    title,
    points: values.length,
    width,
    height,
    ...(xLabel !== undefined && { xLabel }),
    ...(yLabel !== undefined && { yLabel }),
    area,
    xTicks: placeNames(names, marks, slanted),
    slanted,
    yTicks: scale.ticks.map(({ value, text }) => ({ text, at: heightOf(value, area, scale) })),
    baseline: heightOf(Math.max(0, scale.low), area, scale),
    marks,
    path: kind === 'line' ? pathThrough(marks) : '',
  }
}

type Area = PlotOutput['area']
type Mark = PlotOutput['marks'][number]

function knownValues({ labels, values }: PlotInput): readonly number[] {
  if (labels.length !== values.length) {
    throw new ToolError(
      'invalid_args',
      `There are ${labels.length} labels and ${values.length} values. Every value needs one label.`,
    )
  }
  const known = values.filter((value) => value !== null)
  if (known.length > 0) return known
  throw new ToolError('invalid_args', 'All values are null: there is nothing to plot.')
}

function placeMarks({ kind, labels, values }: PlotInput, area: Area, scale: Scale): Mark[] {
  const band = (area.right - area.left) / values.length
  const size = kind === 'bar' ? band * 0.8 : 0
  const zero = heightOf(0, area, scale)
  return values.map((value, index) => {
    const middle = area.left + band * (index + 0.5)
    const at = value === null ? zero : heightOf(value, area, scale)
    return {
      label: String(labels[index]),
      value,
      x: round(middle - size / 2),
      y: kind === 'bar' ? Math.min(at, zero) : at,
      width: round(size),
      height: kind === 'bar' ? round(Math.abs(at - zero)) : 0,
    }
  })
}

/** The names below the marks. If there is no room for all, only every second, third, … is shown. */
function placeNames(names: readonly string[], marks: readonly Mark[], slanted: boolean) {
  const band = (marks[1]?.x ?? Number.POSITIVE_INFINITY) - (marks[0]?.x ?? 0)
  const every = slanted ? Math.max(1, Math.ceil(lineHeight / band)) : 1
  return names.flatMap((text, index) => {
    const mark = marks[index]
    if (!mark || index % every !== 0) return []
    return [{ text, at: round(mark.x + mark.width / 2) }]
  })
}

function pathThrough(marks: readonly Mark[]): string {
  const steps = marks.map(({ value, x, y }, at) => {
    const before = marks[at - 1]?.value ?? null
    return value === null ? '' : `${before === null ? 'M' : 'L'}${x} ${y}`
  })
  return steps.join('')
}

function heightOf(value: number, { top, bottom }: Area, { low, high }: Scale): number {
  const share = (value - low) / (high - low)
  return round(bottom - Math.min(1, Math.max(0, share)) * (bottom - top))
}

function shorten(text: string): string {
  return text.length > longestLabel ? `${text.slice(0, longestLabel - 1)}…` : text
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
