import type { ReactNode } from 'react'
import type { PlotOutput } from '../../tools/plot/plot-definition.ts'
import { PlotFigure } from '../../tools/plot/plot-figure.tsx'

/** A plot. On a narrow page it scrolls by itself, at a size that can be read. */
export function PlotResult({ plot }: { readonly plot: PlotOutput }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="plot-scroll" aria-label="Plot" tabIndex={0}>
      <PlotFigure plot={plot} />
    </section>
  )
}
