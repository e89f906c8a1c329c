import { memo, type NamedExoticComponent, type ReactNode } from 'react'
import { formatMs } from '../rows/format-ms.ts'
import { cellRole, rowRole } from '../rows/roles.ts'
import { useElapsed } from '../use-elapsed.ts'
import { Marks } from './marks.tsx'
import { PhaseBars } from './phase-bars.tsx'
import { durationOf, labelOf, rowName } from './row-words.ts'
import type { PlacedRow } from './rows-of-run.ts'
import type { TimeScale } from './time-scale.ts'

interface TimelineRowViewProps extends PlacedRow {
  readonly id: string
  readonly index: number
  readonly rowPx: number
  readonly scale: TimeScale
  readonly isActive: boolean
}

/** One row of the grid: its name, its bars, its duration. It renders when the row or the scale changes. */
export const TimelineRowView: NamedExoticComponent<TimelineRowViewProps> = memo(
  function TimelineRowView({ id, index, rowPx, row, depth, scale, isActive }): ReactNode {
    return (
      <div
        {...rowRole(index)}
        data-part="row"
        data-index={index}
        data-kind={row.kind}
        data-end={row.end}
        data-active={isActive}
        style={{ position: 'absolute', insetInline: 0, top: index * rowPx, height: rowPx }}
      >
        <div {...cellRole(rowName(row, scale.startedAt), isActive)} id={id} data-part="cell">
          <span data-part="label" style={{ paddingInlineStart: `${depth * 0.75}em` }}>
            <span aria-hidden="true">{marks.get(row.end ?? '')}</span>
            {labelOf(row)}
          </span>
          <span data-part="track">
            <PhaseBars phases={row.phases} scale={scale} />
            <Marks marks={row.marks} scale={scale} />
          </span>
          <Took row={row} />
        </div>
      </div>
    )
  },
)

/** A sign for rows that did not end well, in addition to their colour. */
const marks: ReadonlyMap<string, string> = new Map([
  ...['failed', 'timed_out', 'error'].map((end) => [end, '✕ '] as const),
  ...['denied', 'skipped', 'cancelled', 'interrupted', 'aborted'].map(
    (end) => [end, '⊘ '] as const,
  ),
])

function Took({ row }: Pick<PlacedRow, 'row'>): ReactNode {
  const [first, last] = [row.phases[0], row.phases.at(-1)]
  const isOn = last?.endedAt === null
  const clock = useElapsed(isOn ? first?.startedAt : undefined)
  // An element of its own: React does not see what the clock writes.
  if (isOn) return <span key="clock" data-part="took" ref={clock} />
  return <span data-part="took">{last ? formatMs(durationOf(row, last.endedAt ?? 0)) : ''}</span>
}
