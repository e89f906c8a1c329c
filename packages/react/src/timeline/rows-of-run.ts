import type { TimelineRow } from '@offthread/core/log'
import type { LaneRow } from './lane-row.ts'

/** A row with its place under the run. */
export interface PlacedRow {
  /** The row: of the log, or a lane. */
  readonly row: TimelineRow | LaneRow
  /** 0 for the run, 1 for its answers, 2 for their calls, and so on into agents that run inside calls. */
  readonly depth: number
}

/** The runs of a log that are inside no call, in order. */
export function runsIn(rows: readonly TimelineRow[]): readonly TimelineRow[] {
  return rows.filter(isRun)
}

/** The last run that made or retried a call. */
export function runOfCall(rows: readonly TimelineRow[], toolCallId?: string): string | undefined {
  const at = rows.findLastIndex(({ kind, id }) => kind === 'call' && id === toolCallId)
  return rows.findLast((row, index) => index <= at && isRun(row))?.id
}

/** The rows of a run, each followed by what belongs to it. */
export function rowsOfRun(rows: readonly TimelineRow[], runId: string): readonly PlacedRow[] {
  const start = rows.findLastIndex((row) => isRun(row) && row.id === runId)
  const [run, ...others] = start < 0 ? [] : rows.slice(start, endOfRun(rows, start))
  if (!run) return []
  const known = new Set([run, ...others].map(({ id }) => id))
  const inside = new Map<string, TimelineRow[]>()
  for (const row of others) {
    // A call of an answer of an earlier run is listed under this run, which continues it.
    const parentId = row.parentId !== null && known.has(row.parentId) ? row.parentId : run.id
    inside.set(parentId, [...(inside.get(parentId) ?? []), row])
  }
  const withInside = (row: TimelineRow, depth: number): readonly PlacedRow[] => {
    const children = inside.get(row.id) ?? []
    inside.delete(row.id)
    return [{ row, depth }, ...children.flatMap((child) => withInside(child, depth + 1))]
  }
  return withInside(run, 0)
}

function endOfRun(rows: readonly TimelineRow[], start: number): number {
  const next = rows.findIndex((row, index) => index > start && isRun(row))
  return next < 0 ? rows.length : next
}

function isRun({ kind, parentId }: TimelineRow): boolean {
  return kind === 'run' && parentId === null
}
