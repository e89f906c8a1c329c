import type { ReactNode } from 'react'
import type { PlotOutput } from '../../tools/plot/plot-definition.ts'
import { PlotFigure } from '../../tools/plot/plot-figure.tsx'
import { ScrollBox } from '../../ui/scroll-box.tsx'

/** A plot. On a narrow page it scrolls by itself, at a size that can be read. */
export function PlotResult({ plot }: { readonly plot: PlotOutput }): ReactNode {
  return (
    <ScrollBox className="plot-scroll" aria-label="Plot">
      <PlotFigure plot={plot} />
    </ScrollBox>
  )
}
