import type { TimelineRow } from '@offthread/core/log'
import type { LaneKind, LanePhase, LaneRow } from './lane-row.ts'
import type { PlacedRow } from './rows-of-run.ts'
import type { RunTimeline } from './use-run-timeline.ts'

/**
 * The same run by what its code ran in. With `'worker'` each lane is a place for one worker at a time: as many lanes as there
 * were workers at once, each used again as soon as it was free. With `'tool'` each tool has as many lanes as it had calls at
 * once. Waiting is left out.
 *
 * @example
 * ```tsx
 * const timeline = useRunTimeline(agent)
 * return <TimelineGrid timeline={lanesOf(timeline, 'worker')} />
 * ```
 */
export function lanesOf(timeline: RunTimeline, kind: LaneKind): RunTimeline {
  const [run, ...others] = timeline.rows
  if (!run) return timeline
  const spans = others
    .flatMap(({ row }) => (row.kind === 'call' ? spansOf(row) : []))
    .filter(({ place }) => kind === 'tool' || place === 'worker' || place === 'isolated')
    .toSorted((one, other) => one.startedAt - other.startedAt)
  const groups = new Map<string, readonly CodeSpan[]>()
  for (const span of spans) {
    const group = kind === 'worker' ? 'Worker' : span.label
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
  readonly place: TimelineRow['place']
  readonly phases: readonly LanePhase[]
  readonly startedAt: number
  /** Infinite while it goes on. */
  readonly endedAt: number
}

const codeKinds: ReadonlySet<string> = new Set(['starting', 'running', 'cancelling'])

function spansOf({ label, place, phases }: TimelineRow): readonly CodeSpan[] {
  const ofCode = phases.filter(({ kind }) => codeKinds.has(kind))
  const attempts = new Set(ofCode.map(({ attempt }) => attempt))
  return [...attempts].map((number) => {
    const own = ofCode.filter(({ attempt }) => attempt === number)
    return {
      ...{ label, place },
      phases: own.map((phase) => ({ ...phase, label })),
      startedAt: own[0]?.startedAt ?? 0,
      endedAt: own.at(-1)?.endedAt ?? Number.POSITIVE_INFINITY,
    }
  })
}

/** As few lanes as it takes, so that in each nothing overlaps. */
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
  return {
    ...{ kind: 'lane', id: label, parentId: null, label, end: null, calls: spans.length },
    phases: spans.flatMap(({ phases }) => phases),
  }
}
