import { type Execute, toolResult } from '@offthread/core'
import { layoutPlot, type Measure } from './layout-plot.ts'
import type { plot } from './plot-definition.ts'

/** Lays out a plot with the widths of texts in this page's font. */
const execute: Execute<typeof plot> = (input) => {
  const output = layoutPlot(input, createMeasure())
  const { kind, title, points, width, height } = output
  // The model needs no positions.
  return toolResult({ output, content: JSON.stringify({ kind, title, points, width, height }) })
}

export default execute

function createMeasure(): Measure {
  const context = document.createElement('canvas').getContext('2d')
  // Without a canvas, an estimate of a letter's width.
  if (!context) return (text) => text.length * 7
  context.font = `12px ${getComputedStyle(document.body).fontFamily || 'sans-serif'}`
  return (text) => context.measureText(text).width
}
