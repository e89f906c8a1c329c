import type { ToolTiming } from '../kernel/tool-outcome.ts'
import type { Phase } from './timeline-row.ts'

/**
 * The phases of a call that has ended, by the durations that it measured: the start of its code is an ephemeral event,
 * and the early start of its worker has no event.
 */
export function measured(
  phases: readonly Phase[],
  { startMs, runMs }: ToolTiming,
): readonly Phase[] {
  const at = phases.findLastIndex(({ kind }) => kind === 'starting')
  const starting = phases[at]
  if (!starting || starting.endedAt === null) return phases
  const [runsFrom, runsTo] = [starting.startedAt, starting.endedAt]
  const hasRun = phases[at + 1]?.kind === 'running' || runMs === 0
  const ranAt = hasRun
    ? runsTo
    : between(runsFrom, (phases.at(-1)?.endedAt ?? runsTo) - runMs, runsTo)
  const before = phases[at - 1]
  const waited = before?.kind === 'waiting' && before.endedAt === runsFrom ? before : undefined
  const startedAt = waited ? between(waited.startedAt, ranAt - startMs, runsFrom) : runsFrom
  return [
    ...phases.slice(0, waited ? at - 1 : at),
    ...(waited ? [{ ...waited, endedAt: startedAt }] : []),
    { ...starting, startedAt, endedAt: ranAt },
    ...(ranAt < runsTo
      ? [{ ...starting, kind: 'running' as const, startedAt: ranAt, endedAt: runsTo }]
      : []),
    ...phases.slice(at + 1),
  ]
}

function between(low: number, value: number, high: number): number {
  return Math.min(Math.max(low, value), high)
}
