import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { layoutPlot } from './layout-plot.ts'
import { createMeasure } from './measure-text.ts'
import type { PlotOutput } from './plot-definition.ts'

/** A plot that is scaled further down cannot be read. */
const leastScale = 0.85
const leastWidth = 240
const narrowHeight = 260

/** The plot, laid out again where its place is too narrow for it: its words stay as large as they are. */
export function useFittedPlot(plot: PlotOutput): {
  readonly figure: RefObject<HTMLElement | null>
  readonly fitted: PlotOutput
} {
  const figure = useRef<HTMLElement>(null)
  const [room, setRoom] = useState(plot.width)
  useLayoutEffect(() => {
    const { current } = figure
    if (!current || !('ResizeObserver' in globalThis)) return
    const measure = (): void => setRoom(Math.round(current.clientWidth))
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    measure()
    return () => observer.disconnect()
  }, [])
  const fitted = useMemo(() => layoutIn(plot, room), [plot, room])
  return { figure, fitted }
}

function layoutIn(plot: PlotOutput, room: number): PlotOutput {
  // A place without a width is not shown, or nothing is laid out at all.
  if (room === 0 || room >= plot.width * leastScale) return plot
  const { kind, title, xLabel, yLabel, marks } = plot
  const input = {
    ...{ kind, title },
    labels: marks.map(({ label }) => label),
    values: marks.map(({ value }) => value),
    ...(xLabel !== undefined && { xLabel }),
    ...(yLabel !== undefined && { yLabel }),
  }
  return layoutPlot(input, createMeasure(), {
    width: Math.max(leastWidth, room),
    height: narrowHeight,
  })
}
