import { ToolError } from '@offthread/core'
import type { PlotInput } from './plot-definition.ts'
import { createScale } from './scale.ts'

/** What stands below a plot. Places on it are shares of its length. */
export interface Axis {
  readonly names: readonly { readonly text: string; readonly share: number }[]
  /** The distance from one name to the next. */
  readonly step: number
  /** Its names are numbers: some of them say where the others are. */
  readonly isNumeric: boolean
  /** The place of a mark. */
  readonly middleOf: (index: number) => number
}

const longestLabel = 18

export function createAxis({ kind, labels }: PlotInput): Axis {
  if (kind === 'scatter') return alongNumbers(numbersOf(labels))
  const step = 1 / labels.length
  const middleOf = (index: number): number => (index + 0.5) * step
  if (kind === 'histogram') {
    const names = edgesOf(numbersOf(labels)).map((edge, index) => ({
      text: withoutSeparator(edge.toLocaleString('en', { maximumSignificantDigits: 6 })),
      share: index * step,
    }))
    return { names, step, isNumeric: true, middleOf }
  }
  const names = labels.map((label, index) => ({
    text: shorten(String(label)),
    share: middleOf(index),
  }))
  return { names, step, isNumeric: false, middleOf }
}

function alongNumbers(numbers: readonly number[]): Axis {
  const { low, high, ticks } = createScale(numbers, false)
  const shareOf = (value: number): number => (value - low) / (high - low)
  return {
    names: ticks.map(({ value, text }) => ({
      text: withoutSeparator(text),
      share: shareOf(value),
    })),
    step: 1 / (ticks.length - 1),
    isNumeric: true,
    middleOf: (index) => shareOf(numbers[index] ?? low),
  }
}

function numbersOf(labels: PlotInput['labels']): readonly number[] {
  const numbers = labels.map((label) => (label === '' ? Number.NaN : Number(label)))
  if (numbers.every(Number.isFinite)) return numbers
  const problem = 'The labels of a scatter plot and of a histogram are numbers.'
  throw new ToolError('invalid_args', problem)
}

/** The lower edges of bins, and the upper one of the last. */
function edgesOf(lower: readonly number[]): readonly number[] {
  const [first = 0, second = first + 1] = lower
  const width = second - first
  const isEven = lower.every((edge, at) => Math.abs(edge - first - at * width) < width / 1000)
  if (isEven) return [...lower, first + lower.length * width]
  const problem =
    'The labels of a histogram are the lower edges of bins of one width, from the lowest to the highest. Give empty bins, too, with the value 0.'
  throw new ToolError('invalid_args', problem)
}

function shorten(text: string): string {
  return text.length > longestLabel ? `${text.slice(0, longestLabel - 1)}…` : text
}

/** An axis of numbers may show years, which have no separator. */
function withoutSeparator(text: string): string {
  return text.replace(/^(-?\d),(\d{3})$/, '$1$2')
}
