import { type Execute, toolResult } from '@offthread/core'
import { createMeasure, layoutPlot } from './layout-plot.ts'
import type { plot } from './plot-definition.ts'

/** Lays out a plot with the widths of texts in this page's font. */
const execute: Execute<typeof plot> = (input) => {
  const output = layoutPlot(input, createMeasure())
  const { kind, title, points, width, height } = output
  // The model needs no positions.
  return toolResult({ output, content: JSON.stringify({ kind, title, points, width, height }) })
}

export default execute
