import { memo, type NamedExoticComponent, type ReactNode } from 'react'
import { loadOf, mostOf } from './facts-of-run.ts'
import type { PlacedRow } from './rows-of-run.ts'
import type { TimeScale } from './time-scale.ts'

interface LoadChartProps {
  readonly rows: readonly PlacedRow[]
  readonly scale: TimeScale
}

/**
 * How many calls ran at each moment. Renders nothing if no two calls ran at once. Open phases are drawn to the end of
 * the scale, and cut off at `--now`.
 */
export const LoadChart: NamedExoticComponent<LoadChartProps> = memo(function LoadChart({
  rows,
  scale: { startedAt, from, span },
}: LoadChartProps): ReactNode {
  const steps = loadOf(rows)
  const most = mostOf(steps)
  const [first] = steps
  if (!first || most < 2) return null
  const x = (moment: number): number => Math.min(moment - startedAt, from + span)
  const line = steps.map(({ to, count }) => `V${most - count}H${x(to)}`).join('')
  const passed = `(var(--now, 0) - ${from}) / ${span} * 100%`
  return (
    <div data-part="load" aria-hidden="true">
      <span data-part="label">At once</span>
      <span data-part="track">
        <svg
          aria-hidden="true"
          viewBox={`${from} 0 ${span} ${most}`}
          preserveAspectRatio="none"
          style={{
            position: 'absolute',
            inset: 0,
            inlineSize: '100%',
            blockSize: '100%',
            clipPath: `inset(0 calc(100% - ${passed}) 0 0)`,
          }}
        >
          <path d={`M${x(first.from)} ${most}${line}V${most}`} />
        </svg>
      </span>
      <span data-part="took">most {most}</span>
    </div>
  )
})
