import type { Phase } from '@offthread/core/log'
import { memo, type NamedExoticComponent, type ReactNode } from 'react'
import { phaseName, takesTime } from './row-words.ts'
import type { TimeScale } from './time-scale.ts'

/** The props of `PhaseBars`. */
export interface PhaseBarsProps {
  /** The phases to draw. */
  readonly phases: readonly Phase[]
  /** The scale that `useTimeScale` returned. */
  readonly scale: TimeScale
}

/**
 * A bar for each phase that took time, placed in the nearest positioned element. The bar of a phase that goes on ends at
 * `--now`, the milliseconds since the start of the scale.
 */
export const PhaseBars: NamedExoticComponent<PhaseBarsProps> = memo(function PhaseBars({
  phases,
  scale: { startedAt, from, span },
}: PhaseBarsProps): ReactNode {
  return phases.filter(takesTime).map((phase) => {
    const start = phase.startedAt - startedAt
    const share = ((phase.endedAt ?? 0) - phase.startedAt) / span
    return (
      <span
        key={`${phase.kind} ${phase.attempt} ${phase.startedAt}`}
        data-part="bar"
        data-phase={phase.kind}
        data-live={phase.endedAt === null}
        title={phaseName(phase)}
        style={{
          position: 'absolute',
          insetInlineStart: `${((start - from) / span) * 100}%`,
          inlineSize:
            phase.endedAt === null
              ? `calc((var(--now, 0) - ${start}) / ${span} * 100%)`
              : `${share * 100}%`,
        }}
      />
    )
  })
})
