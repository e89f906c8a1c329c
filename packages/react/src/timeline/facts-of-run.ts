import type { PlacedRow } from './rows-of-run.ts'
import type { RunTimeline } from './use-run-timeline.ts'

/** Where the time of a run went, in milliseconds. */
export interface RunFacts {
  /** The time from the run's start to its end, or to its last event. */
  readonly wall: number
  /** How long code of calls ran, added up. */
  readonly toolTime: number
  /** How long calls waited for a slot or their turn, added up. */
  readonly queued: number
  /** The most calls whose code ran at the same moment. */
  readonly most: number
}

/** Adds up a run. Open phases count up to `now`. Calls that were retried after its end belong to a later run. */
export function factsOf({ rows, run, startedAt }: RunTimeline, now: number): RunFacts {
  const endedAt = run?.phases.at(-1)?.endedAt
  const end = endedAt ?? Math.max(startedAt, now)
  const running = spansOf(rows, 'running', end)
  return {
    wall: Math.max(0, end - startedAt),
    toolTime: sum(running),
    queued: sum(spansOf(rows, 'waiting', end)),
    // An open phase ends at infinity, so that one that has just started counts as well.
    most: mostOf(stepsOf(spansOf(rows, 'running', endedAt ?? Infinity))),
  }
}

type Span = readonly [from: number, to: number]

function spansOf(rows: readonly PlacedRow[], kind: 'running' | 'waiting', end: number) {
  return rows.flatMap(({ row }): readonly Span[] =>
    row.kind === 'call'
      ? row.phases.flatMap((phase): readonly Span[] =>
          phase.kind === kind ? [[phase.startedAt, Math.min(phase.endedAt ?? end, end)]] : [],
        )
      : [],
  )
}

function sum(spans: readonly Span[]): number {
  return spans.reduce((total, [from, to]) => total + Math.max(0, to - from), 0)
}

/** How many calls ran for some time. */
export interface LoadStep {
  /** Epoch milliseconds. */
  readonly from: number
  /** Epoch milliseconds; infinite while it goes on. */
  readonly to: number
  readonly count: number
}

/** How many calls ran at each moment of a run, in order. */
export function loadOf(rows: readonly PlacedRow[]): readonly LoadStep[] {
  return stepsOf(spansOf(rows, 'running', Number.POSITIVE_INFINITY))
}

/** The most that ran at the same moment. */
export function mostOf(steps: readonly LoadStep[]): number {
  return steps.reduce((most, { count }) => Math.max(most, count), 0)
}

function stepsOf(spans: readonly Span[]): readonly LoadStep[] {
  const changes = spans
    .flatMap(([from, to]): readonly Span[] =>
      to > from
        ? [
            [from, 1],
            [to, -1],
          ]
        : [],
    )
    .toSorted(([at], [otherAt]) => at - otherAt)
  let count = 0
  return changes.flatMap(([from, change], index) => {
    count += change
    const to = changes[index + 1]?.[0] ?? from
    // Calls that end and start at the same moment did not run together.
    return to > from ? [{ from, to, count }] : []
  })
}
