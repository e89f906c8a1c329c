import { ToolError } from '@offthread/core'
import type { PlotInput, PlotOutput } from './plot-definition.ts'
import { createScale, type Scale } from './scale.ts'
import { type Axis, createAxis } from './x-axis.ts'

/** The width of a text as the plot will show it. */
export type Measure = (text: string) => number

/** The width and the height of a plot, in pixels where it is not scaled. */
interface Size {
  readonly width: number
  readonly height: number
}

const usualSize: Size = { width: 640, height: 360 }
const lineHeight = 16
const gap = 8
// The width and the height of a text at 45 degrees, as a share of its length.
const slant = Math.SQRT1_2

export function layoutPlot(input: PlotInput, measure: Measure, size = usualSize): PlotOutput {
  const { width, height } = size
  const { kind, title, values, xLabel, yLabel } = input
  const scale = createScale(knownValues(input), kind === 'bar' || kind === 'histogram')
  const axis = createAxis(input)
  const widest = Math.max(...axis.names.map(({ text }) => measure(text)))
  const widestTick = Math.max(...scale.ticks.map(({ text }) => measure(text)))
  const left = widestTick + gap * 2 + (yLabel ? lineHeight : 0)
  // The last number is centred under the end of its axis, so half of it needs room.
  const right = width - (axis.isNumeric ? Math.max(gap * 2, widest / 2) : gap * 2)
  const slanted = !axis.isNumeric && widest + gap > (right - left) * axis.step
  const below = (slanted ? widest * slant : 0) + lineHeight + gap + (xLabel ? lineHeight : 0)
  const area = {
    // The first slanted name extends to the left of its mark.
    left: round(slanted ? Math.max(left, widest * slant) : left),
    top: gap * 2,
    right: round(right),
    bottom: round(height - below),
  }
  const marks = placeMarks(input, { area, scale, axis })
  const room = (area.right - area.left) * axis.step
  const needed = slanted ? lineHeight : axis.isNumeric ? widest + gap : 0
  return {
    kind,
    title,
    points: values.length,
    width,
    height,
    ...(xLabel !== undefined && { xLabel }),
    ...(yLabel !== undefined && { yLabel }),
    area,
    xTicks: axis.names
      // If there is no room for all, only every second, third, … is shown.
      .filter((_, index) => index % Math.max(1, Math.ceil(needed / room)) === 0)
      .map(({ text, share }) => ({ text, at: alongAxis(share, area) })),
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

interface Place {
  readonly area: Area
  readonly scale: Scale
  readonly axis: Axis
}

function placeMarks({ kind, labels, values }: PlotInput, { area, scale, axis }: Place): Mark[] {
  const band = (area.right - area.left) / values.length
  const isFlat = kind === 'line' || kind === 'scatter'
  const size = isFlat ? 0 : kind === 'bar' ? band * 0.8 : Math.max(0.5, band - 1)
  const zero = heightOf(0, area, scale)
  return values.map((value, index) => {
    const middle = alongAxis(axis.middleOf(index), area)
    const at = value === null ? zero : heightOf(value, area, scale)
    return {
      label: String(labels[index]),
      value,
      x: round(middle - size / 2),
      y: isFlat ? at : Math.min(at, zero),
      width: round(size),
      height: isFlat ? 0 : round(Math.abs(at - zero)),
    }
  })
}

function pathThrough(marks: readonly Mark[]): string {
  const steps = marks.map(({ value, x, y }, at) => {
    const before = marks[at - 1]?.value ?? null
    return value === null ? '' : `${before === null ? 'M' : 'L'}${x} ${y}`
  })
  return steps.join('')
}

function alongAxis(share: number, { left, right }: Area): number {
  return round(left + share * (right - left))
}

function heightOf(value: number, { top, bottom }: Area, { low, high }: Scale): number {
  const share = (value - low) / (high - low)
  return round(bottom - Math.min(1, Math.max(0, share)) * (bottom - top))
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

/** Measures texts in the font of the page, as plots show them. */
export function createMeasure(): Measure {
  const context = document.createElement('canvas').getContext('2d')
  // Without a canvas, an estimate of a letter's width.
  if (!context) return (text) => text.length * 7
  context.font = `12px ${getComputedStyle(document.body).fontFamily || 'sans-serif'}`
  return (text) => context.measureText(text).width
}
