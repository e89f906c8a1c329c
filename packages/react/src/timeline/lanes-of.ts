import type { TimelineRow } from '@offthread/core/log'
import type { LaneKind, LanePhase, LaneRow } from './lane-row.ts'
import type { PlacedRow } from './rows-of-run.ts'
import type { RunTimeline } from './use-run-timeline.ts'

/**
 * The same run, with calls that ran one after the other in one lane. With `'slot'` each lane is a slot: there are as
 * many as were taken at once. The log says when a call had one, not which: a lane is used again as soon as it is free.
 * With `'tool'` each tool has as many lanes as it had calls at once. Waiting is left out.
 *
 * @example
 * ```tsx
 * const timeline = useRunTimeline(agent)
 * return <TimelineGrid timeline={lanesOf(timeline, 'slot')} />
 * ```
 */
export function lanesOf(timeline: RunTimeline, kind: LaneKind): RunTimeline {
  const [run, ...others] = timeline.rows
  if (!run) return timeline
  // An agent that runs inside a call takes no slot: its calls do.
  const agents = new Set(others.map(({ row }) => (row.kind === 'run' ? row.parentId : null)))
  const spans = others
    .filter(({ row }) => kind === 'tool' || !agents.has(row.id))
    .flatMap(({ row }) => (row.kind === 'call' ? spansOf(row) : []))
    .toSorted((one, other) => one.startedAt - other.startedAt)
  const groups = new Map<string, readonly CodeSpan[]>()
  for (const span of spans) {
    const group = kind === 'slot' ? 'Slot' : span.label
    groups.set(group, [...(groups.get(group) ?? []), span])
  }
  const lanes = [...groups].flatMap(([name, group]) => {
    const packed = packedOf(group)
    return packed.map((lane, index): PlacedRow => {
      const isOnly = kind === 'tool' && packed.length === 1
      return { row: laneRow(isOnly ? name : `${name} ${index + 1}`, lane), depth: 1 }
    })
  })
  return { ...timeline, rows: [run, ...lanes] }
}

/** The time from the start of a worker to the end of an attempt. */
interface CodeSpan {
  readonly label: string
  readonly phases: readonly LanePhase[]
  readonly startedAt: number
  /** Infinite while it goes on. */
  readonly endedAt: number
}

const codeKinds: ReadonlySet<string> = new Set(['starting', 'running', 'cancelling'])

function spansOf({ label, phases }: TimelineRow): readonly CodeSpan[] {
  const ofCode = phases.filter(({ kind }) => codeKinds.has(kind))
  const attempts = new Set(ofCode.map(({ attempt }) => attempt))
  return [...attempts].map((number) => {
    const own = ofCode.filter(({ attempt }) => attempt === number)
    return {
      label,
      phases: own.map((phase) => ({ ...phase, label })),
      startedAt: own[0]?.startedAt ?? 0,
      endedAt: own.at(-1)?.endedAt ?? Number.POSITIVE_INFINITY,
    }
  })
}

/** Divides spans into as few lanes as possible, so that in each nothing overlaps. */
function packedOf(spans: readonly CodeSpan[]): readonly (readonly CodeSpan[])[] {
  const lanes: CodeSpan[][] = []
  for (const span of spans) {
    const free = lanes.find((lane) => (lane.at(-1)?.endedAt ?? 0) <= span.startedAt)
    if (free) free.push(span)
    else lanes.push([span])
  }
  return lanes
}

function laneRow(label: string, spans: readonly CodeSpan[]): LaneRow {
  const phases = spans.flatMap((span) => span.phases)
  const asOfLog = { id: label, parentId: null, label, marks: [], end: null } as const
  return { kind: 'lane', ...asOfLog, phases, calls: spans.length }
}
