import type { Phase, PhaseKind, TimelineRow } from './timeline-row.ts'

/** The rows of a timeline that grows. */
export interface Rows {
  readonly now: () => number
  /** Moves on to a moment. A moment in the past counts as now. */
  readonly advance: (ts: number) => void
  readonly get: (kind: TimelineRow['kind'], id: string) => TimelineRow | undefined
  readonly list: () => readonly TimelineRow[]
  /** Starts a row, unless the row is there. */
  readonly start: (row: Omit<TimelineRow, 'phases' | 'marks' | 'end'>, phase: PhaseKind) => void
  readonly set: (row: TimelineRow) => void
  /** Continues a call in a new row. The earlier row of the call does not change any more. */
  readonly restart: (row: TimelineRow) => void
  /** Removes the calls of an answer. */
  readonly removeCallsOf: (messageId: string) => void
  /** Corrects the phases of a call. */
  readonly correct: (
    toolCallId: string,
    correct: (phases: readonly Phase[]) => readonly Phase[],
  ) => void
  /** Ends the phases in which code ran, because its page is gone. Calls that wait for a person go on waiting. */
  readonly rest: () => void
  /** The phase of a row ends, and another one begins. A row that has ended does not change. */
  readonly enter: (row: TimelineRow | undefined, phase: PhaseKind, attempt?: number) => void
  /** The last phase of a row ends, and with `end` the row. */
  readonly close: (row: TimelineRow | undefined, end: string | null) => void
}

export function createRows(): Rows {
  const byKey = new Map<string, TimelineRow>()
  /** The keys of the last rows of calls that have several. */
  const lastKeys = new Map<string, string>()
  let listed: readonly TimelineRow[] | null = null
  let now = 0

  function keyOf({ kind, id }: Pick<TimelineRow, 'kind' | 'id'>): string {
    const key = `${kind} ${id}`
    return lastKeys.get(key) ?? key
  }

  function set(row: TimelineRow): void {
    byKey.set(keyOf(row), row)
    listed = null
  }

  return {
    now: () => now,
    advance: (ts) => {
      now = Math.max(now, ts)
    },
    get: (kind, id) => byKey.get(keyOf({ kind, id })),
    list: () => (listed ??= [...byKey.values()]),
    start: (row, phase) => {
      if (byKey.has(keyOf(row))) return
      set({ ...row, phases: [phaseFrom(phase, 1, now)], marks: [], end: null })
    },
    set,
    restart: (row) => {
      const key = `${row.kind} ${row.id}`
      lastKeys.set(key, `${key} ${byKey.size}`)
      set({ ...row, phases: [], marks: [], end: null })
    },
    removeCallsOf: (messageId) => {
      for (const [key, { kind, parentId }] of byKey) {
        if (kind === 'call' && parentId === messageId) byKey.delete(key)
      }
      listed = null
    },
    correct: (toolCallId, correction) => {
      const row = byKey.get(keyOf({ kind: 'call', id: toolCallId }))
      if (row) set({ ...row, phases: correction(row.phases) })
    },
    rest: () => {
      for (const row of byKey.values()) {
        if (isBusy(row)) set({ ...row, phases: closed(row.phases, now) })
      }
    },
    enter: (row, kind, attempt = row?.phases.at(-1)?.attempt ?? 1) => {
      if (!row || row.end !== null || staysIn(row.phases.at(-1), kind, attempt)) return
      set({ ...row, phases: [...closed(row.phases, now), phaseFrom(kind, attempt, now)] })
    },
    close: (row, end) => {
      if (!row || row.end !== null) return
      set({ ...row, phases: closed(row.phases, now), end })
    },
  }
}

/** A row that waits for a person is not busy. */
function isBusy({ phases }: TimelineRow): boolean {
  const last = phases.at(-1)
  return last?.endedAt === null && last.kind !== 'approval' && last.kind !== 'answer'
}

/** A call that is being cancelled enters no other phase. */
function staysIn(last: Phase | undefined, kind: PhaseKind, attempt: number): boolean {
  if (last?.endedAt !== null) return false
  return last.kind === 'cancelling' || (last.kind === kind && last.attempt === attempt)
}

function phaseFrom(kind: PhaseKind, attempt: number, startedAt: number): Phase {
  return { kind, attempt, startedAt, endedAt: null }
}

function closed(phases: readonly Phase[], endedAt: number): readonly Phase[] {
  const last = phases.at(-1)
  return last?.endedAt === null ? [...phases.slice(0, -1), { ...last, endedAt }] : phases
}
