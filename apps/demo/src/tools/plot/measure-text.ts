import type { Measure } from './layout-plot.ts'

/** Measures texts in the font of the page, as plots show them. */
export function createMeasure(): Measure {
  const context = document.createElement('canvas').getContext('2d')
  // Without a canvas, an estimate of a letter's width.
  if (!context) return (text) => text.length * 7
  context.font = `12px ${getComputedStyle(document.body).fontFamily || 'sans-serif'}`
  return (text) => context.measureText(text).width
}
