import type { Agent } from '@offthread/core'
import type { TimelineRow } from '@offthread/core/log'
import { useMemo } from 'react'
import { useTimeline } from '../use-timeline.ts'
import { type PlacedRow, rowsOfRun, runsIn } from './rows-of-run.ts'

/** What one run of an agent spent its time on. */
export interface RunTimeline {
  /** All runs of the session that are inside no call, oldest first: those one can choose from. */
  readonly runs: readonly TimelineRow[]
  /** The run that is shown; `undefined` before the first. */
  readonly run: TimelineRow | undefined
  /** The run, its answers, their calls, and what agents do inside of calls: each row before those that belong to it. */
  readonly rows: readonly PlacedRow[]
  /** Epoch milliseconds at which the run began. */
  readonly startedAt: number
  /** Epoch milliseconds at which its last row ended; `null` while it goes on. */
  readonly endedAt: number | null
}

/**
 * The rows of one run, live, each followed by what belongs to it. `runId`: which run; default the last one.
 *
 * @example
 * ```tsx
 * const timeline = useRunTimeline(agent)
 * return <TimelineGrid timeline={timeline} />
 * ```
 */
export function useRunTimeline(agent: Agent, runId?: string): RunTimeline {
  const { rows } = useTimeline(agent)
  return useMemo(() => {
    const runs = runsIn(rows)
    const run = runs.find(({ id }) => id === runId) ?? runs.at(-1)
    const own = run ? rowsOfRun(rows, run.id) : []
    return {
      ...{ runs, run, rows: own },
      startedAt: run?.phases[0]?.startedAt ?? 0,
      endedAt: run ? endOf(run, own) : null,
    }
  }, [rows, runId])
}

function endOf(run: TimelineRow, rows: readonly PlacedRow[]): number | null {
  const end = run.phases.at(-1)?.endedAt ?? null
  if (end === null) return null
  const ends = rows.flatMap(({ row }) => row.phases.map(({ endedAt }) => endedAt ?? end))
  return ends.reduce((last, each) => Math.max(last, each), end)
}
