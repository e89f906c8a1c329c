import type { Agent } from '@offthread/core'
import type { PhaseKind } from '@offthread/core/log'
import { type ReactNode, useMemo, useState } from 'react'
import { useEventRecord } from '../event-record.ts'
import { formatMs } from '../rows/format-ms.ts'
import { factsOf } from '../timeline/facts-of-run.ts'
import type { LaneKind } from '../timeline/lane-row.ts'
import { lanesOf } from '../timeline/lanes-of.ts'
import {
  labelOf,
  markName,
  phaseName,
  phaseWords,
  stateOf,
  takesTime,
} from '../timeline/row-words.ts'
import { runOfCall } from '../timeline/rows-of-run.ts'
import { keyOfRow, TimelineGrid } from '../timeline/timeline-grid.tsx'
import { TimelineTable } from '../timeline/timeline-table.tsx'
import { type RunTimeline, useRunTimeline } from '../timeline/use-run-timeline.ts'
import { useElapsed } from '../use-elapsed.ts'
import { useTimeline } from '../use-timeline.ts'
import { useNews } from './use-news.ts'

interface TimelineTabProps {
  /** The live agent. */
  readonly agent: Agent
  /** How many events of the log are shown in a replay. */
  readonly position: number | null
  /** Called to see the events of a call. */
  readonly onShowEvents: (query: string) => void
  /** The call to choose. */
  readonly target: { readonly toolCallId: string } | undefined
  /** Called with the call that was chosen. */
  readonly onChoose: ((toolCallId: string | null) => void) | undefined
}

/** Where the time of one run went: as bars, or as a table. */
export function TimelineTab({ agent, position, ...props }: TimelineTabProps): ReactNode {
  const { shown, drawn, now, playhead, ...view } = useView(agent, position, props.target)
  const { active, setActive, isTable, setTable } = view
  if (!shown.run) {
    return (
      <p data-part="empty">There is no run yet. Ask something, and watch where the time goes.</p>
    )
  }
  const open = (key: string): void => {
    const toolCallId = callOf(key)
    if (toolCallId !== null) props.onShowEvents(`call:${toolCallId}`)
  }
  const choose = (key: string): void => {
    setActive(key)
    props.onChoose?.(callOf(key))
  }
  return (
    <>
      <div data-part="toolbar">
        <RunChoice timeline={shown} onChange={view.setChosen} />
        <LaneChoice lanes={view.lanes} onChange={view.setLanes} />
        <button
          type="button"
          data-part="button"
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
        >
          View as table
        </button>
      </div>
      {isTable ? (
        <TimelineTable timeline={drawn} />
      ) : (
        <TimelineGrid
          timeline={drawn}
          active={active}
          onActiveChange={choose}
          onOpen={open}
          onCancel={(id) => agent.cancelTool(id)}
          playhead={playhead}
        />
      )}
      <Facts timeline={shown} now={now} />
      {!isTable && <Legend timeline={drawn} />}
      <RowDetail agent={agent} timeline={drawn} active={active} onOpen={open} />
    </>
  )
}

/** The run and the row that are shown, and how: the last choice of the user or the page. */
function useView(agent: Agent, position: number | null, target: TimelineTabProps['target']) {
  const { events } = useEventRecord(agent)
  const at = position === null ? undefined : (events[position - 1] ?? events[0])
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const [active, setActive] = useState<string | null>(null)
  const [isTable, setTable] = useState(false)
  const [lanes, setLanes] = useState<Lanes>('call')
  const newest = useRunTimeline(agent, chosen)
  const { rows } = useTimeline(agent)
  const [wanted, setWanted] = useState<string>()
  useNews(target, ({ toolCallId }) => {
    setActive(`call ${toolCallId}`)
    setLanes('call')
    setTable(false)
    setWanted(toolCallId)
  })
  // The call may come later, because a long log is read part by part.
  useNews(runOfCall(rows, wanted), (runId) => {
    setWanted(undefined)
    setChosen(runId === newest.runs.at(-1)?.id ? undefined : runId)
  })
  const ofMoment = useRunTimeline(agent, at ? runAt(newest, at.ts) : chosen)
  const shown = at ? ofMoment : newest
  const drawn = useMemo(() => (lanes === 'call' ? shown : lanesOf(shown, lanes)), [shown, lanes])
  const now = events.at(-1)?.ts ?? 0
  return {
    ...{ shown, drawn, now, playhead: at?.ts ?? null },
    ...{ active, setActive, isTable, setTable, lanes, setLanes, setChosen },
  }
}

/** The call of a row, by its key. */
function callOf(key: string): string | null {
  const [kind, id = null] = key.split(' ')
  return kind === 'call' ? id : null
}

type Lanes = 'call' | LaneKind

const laneNames: readonly (readonly [Lanes, string])[] = [
  ['call', 'By call'],
  ['slot', 'By slot'],
  ['tool', 'By tool'],
]

interface LaneChoiceProps {
  readonly lanes: Lanes
  readonly onChange: (lanes: Lanes) => void
}

/** The choice of what a row stands for. */
function LaneChoice({ lanes, onChange }: LaneChoiceProps): ReactNode {
  return (
    <select
      aria-label="Rows"
      data-part="select"
      value={lanes}
      onChange={({ target }) => {
        const chosen = laneNames.find(([name]) => name === target.value)
        if (chosen) onChange(chosen[0])
      }}
    >
      {laneNames.map(([name, label]) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </select>
  )
}

/** The last run that had started at a moment. */
function runAt({ runs }: RunTimeline, ts: number): string | undefined {
  return (runs.findLast(({ phases }) => (phases[0]?.startedAt ?? 0) <= ts) ?? runs[0])?.id
}

interface RunChoiceProps {
  readonly timeline: RunTimeline
  readonly onChange: (runId: string | undefined) => void
}

function RunChoice({ timeline: { runs, run }, onChange }: RunChoiceProps): ReactNode {
  return (
    <select
      aria-label="Run"
      data-part="select"
      value={run?.id}
      onChange={({ target }) => {
        // With the last run chosen, the panel follows to the next one.
        onChange(target.value === runs.at(-1)?.id ? undefined : target.value)
      }}
    >
      {runs.map((each, index) => (
        <option key={each.id} value={each.id}>
          Run {index + 1} of {runs.length} · {stateOf(each)}
        </option>
      ))}
    </select>
  )
}

interface OfTimeline {
  readonly timeline: RunTimeline
}

/** A legend for the kinds of bars that are shown. */
function Legend({ timeline: { rows } }: OfTimeline): ReactNode {
  const present = new Set<PhaseKind>(
    rows.flatMap(({ row }) =>
      row.kind === 'run' ? [] : row.phases.filter(takesTime).map(({ kind }) => kind),
    ),
  )
  return (
    <ul data-part="legend" aria-hidden="true">
      {[...present].map((kind) => (
        <li key={kind}>
          <span data-part="bar" data-phase={kind} /> {phaseWords[kind]}
        </li>
      ))}
    </ul>
  )
}

function Facts({ timeline, now }: OfTimeline & { readonly now: number }): ReactNode {
  const { wall, toolTime, queued, most } = factsOf(timeline, now)
  const isOn = timeline.endedAt === null
  const clock = useElapsed(isOn ? timeline.startedAt : undefined)
  const facts = [
    ['Tools', isOn && toolTime === 0 ? '—' : formatMs(toolTime)],
    ['Parallel', !isOn && toolTime > 0 ? `${(toolTime / wall).toFixed(1)}×` : '—'],
    ['Most at once', String(most)],
    ['Queued', formatMs(queued)],
  ] as const
  return (
    <dl data-part="facts" aria-label="Times of the run">
      <div>
        <dt>Run</dt>
        {isOn ? <dd key="clock" ref={clock} /> : <dd>{formatMs(wall)}</dd>}
      </div>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface RowDetailProps extends OfTimeline {
  readonly agent: Agent
  readonly active: string | null
  readonly onOpen: (key: string) => void
}

/** The row that is chosen, in words. */
function RowDetail({ agent, timeline, active, onOpen }: RowDetailProps): ReactNode {
  const row = timeline.rows.find((placed) => keyOfRow(placed) === active)?.row
  if (!row || active === null) return null
  return (
    <div data-part="row-detail">
      <p>
        <strong>{labelOf(row)}</strong> {stateOf(row)}
      </p>
      <p data-part="quiet">
        {row.phases
          .filter(takesTime)
          .map(phaseName)
          .concat(row.marks.map((mark) => markName(mark, timeline.startedAt)))
          .join(' · ')}
      </p>
      {row.kind === 'call' && (
        <p data-part="buttons">
          <button type="button" data-part="button" onClick={() => onOpen(active)}>
            Show its events
          </button>
          {row.end === null && (
            <button type="button" data-part="button" onClick={() => agent.cancelTool(row.id)}>
              Cancel
            </button>
          )}
        </p>
      )}
    </div>
  )
}
