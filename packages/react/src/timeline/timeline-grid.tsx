import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { formatMs } from '../rows/format-ms.ts'
import { gridRole } from '../rows/roles.ts'
import { rowAfterKey } from '../rows/row-after-key.ts'
import { useRowWindow } from '../rows/use-row-window.ts'
import type { PlacedRow } from './rows-of-run.ts'
import { type TimeScale, type TimeZoom, ticksOf, useTimeScale } from './time-scale.ts'
import { TimelineRowView } from './timeline-row-view.tsx'
import type { RunTimeline } from './use-run-timeline.ts'
import { panned, zoomed } from './zoom.ts'

/** What a timeline shows, and what happens with its rows. */
export interface TimelineGridProps {
  /** What `useRunTimeline` gave. */
  readonly timeline: RunTimeline
  /** The key of the row that is chosen: its kind and id, `call call_1`. Without it the grid remembers that itself. */
  readonly active?: string | null
  /** Called when another row is chosen, with a click or with the arrow keys. */
  readonly onActiveChange?: (key: string) => void
  /** Called for Enter on the row that is chosen, and for a double click. */
  readonly onOpen?: (key: string) => void
  /** Epoch milliseconds of a moment to mark, for instance that of a replay. */
  readonly playhead?: number | null
}

const rowPx = 26

/** The name of a row for `active`. */
export function keyOfRow({ row }: PlacedRow): string {
  return `${row.kind} ${row.id}`
}

/**
 * A run as a waterfall: a row for the run, each answer, each call and what agents do inside calls, with a bar for each
 * phase. It has no style but the places of its bars: `data-part` names its parts, `data-phase` what a bar stands for.
 *
 * It is one stop of the Tab key. The arrow keys, Page Up and Down, Home and End choose a row, `+` and `-` zoom, ← and →
 * move, `0` shows all. Each row is named in a sentence. Only the rows in view are mounted.
 *
 * @example
 * ```tsx
 * const timeline = useRunTimeline(agent)
 * return <TimelineGrid timeline={timeline} onOpen={(key) => console.log(key)} />
 * ```
 */
export function TimelineGrid({ timeline, ...props }: TimelineGridProps): ReactNode {
  const { rows } = timeline
  const [zoom, setZoom] = useState<TimeZoom>(null)
  const { edge, scale } = useTimeScale(timeline, zoom)
  const list = useRowWindow({ count: rows.length, rowPx })
  const choice = useChoice(rows, props)
  const cell = useId()
  const { scroller, reveal } = list
  useEffect(() => zoomByWheel(scroller.current, setZoom, scale), [scroller, scale])
  useEffect(() => {
    if (choice.index >= 0) reveal(choice.index)
  }, [choice.index, reveal])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const next = rowAfterKey(event.key, choice.index, rows.length)
    const isTaken =
      next !== null || choice.takeKey(event.key) || zoomByKey(event.key, setZoom, scale)
    if (!isTaken) return
    event.preventDefault()
    if (next !== null) choice.toIndex(next)
  }
  return (
    <div data-part="timeline" ref={edge}>
      <Axis scale={scale} />
      <div
        ref={scroller}
        {...gridRole('Timeline of the run', rows.length, {
          ...(choice.index >= 0 && { 'aria-activedescendant': `${cell}${choice.index}` }),
          onKeyDown,
          onClick: ({ target }) => choice.toIndex(indexOf(target)),
          onDoubleClick: () => choice.takeKey('Enter'),
        })}
        data-part="rows"
      >
        <div role="presentation" style={{ position: 'relative', height: rows.length * rowPx }}>
          {rows.slice(list.start, list.end).map(({ row, depth }, at) => (
            <TimelineRowView
              key={keyOfRow({ row, depth })}
              id={`${cell}${list.start + at}`}
              index={list.start + at}
              isActive={list.start + at === choice.index}
              {...{ row, depth, rowPx, scale }}
            />
          ))}
          <Playhead at={props.playhead ?? null} scale={scale} />
        </div>
      </div>
    </div>
  )
}

/** The row that is chosen: by the component around the grid, or by the grid. */
function useChoice(
  rows: readonly PlacedRow[],
  { active, onActiveChange, onOpen }: Omit<TimelineGridProps, 'timeline'>,
) {
  const [own, setOwn] = useState<string | null>(null)
  const key = active === undefined ? own : active
  const index = key === null ? -1 : rows.findIndex((row) => keyOfRow(row) === key)
  return {
    index,
    toIndex: (next: number): void => {
      const row = rows[next]
      if (!row) return
      setOwn(keyOfRow(row))
      onActiveChange?.(keyOfRow(row))
    },
    takeKey: (pressed: string): boolean => {
      if (pressed !== 'Enter' || index < 0 || key === null || !onOpen) return false
      onOpen(key)
      return true
    },
  }
}

function indexOf(target: EventTarget): number {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
  return row ? Number(row.dataset['index']) : -1
}

type SetZoom = (zoom: TimeZoom) => void

function zoomByKey(key: string, setZoom: SetZoom, scale: TimeScale): boolean {
  switch (key) {
    case '+':
    case '=':
      setZoom(zoomed(scale, 1 / 1.5))
      return true
    case '-':
      setZoom(zoomed(scale, 1.5))
      return true
    case 'ArrowLeft':
      setZoom(panned(scale, -0.2))
      return true
    case 'ArrowRight':
      setZoom(panned(scale, 0.2))
      return true
    case '0':
      setZoom(null)
      return true
    default:
      return false
  }
}

/** React's own wheel listener is passive: it could not keep the browser from zooming the page. */
function zoomByWheel(element: HTMLElement | null, setZoom: SetZoom, scale: TimeScale) {
  const onWheel = (event: WheelEvent): void => {
    if (!event.ctrlKey) return
    event.preventDefault()
    setZoom(zoomed(scale, event.deltaY > 0 ? 1.2 : 1 / 1.2))
  }
  element?.addEventListener('wheel', onWheel, { passive: false })
  return () => element?.removeEventListener('wheel', onWheel)
}

interface Scaled {
  readonly scale: TimeScale
}

function Axis({ scale }: Scaled): ReactNode {
  return (
    <div data-part="axis" aria-hidden="true">
      <span data-part="track">
        {ticksOf(scale).map((tick) => (
          <span
            key={tick}
            data-part="tick"
            style={{
              position: 'absolute',
              insetInlineStart: `${((tick - scale.from) / scale.span) * 100}%`,
            }}
          >
            {formatMs(tick)}
          </span>
        ))}
      </span>
    </div>
  )
}

function Playhead({ at, scale }: Scaled & { readonly at: number | null }): ReactNode {
  if (at === null) return null
  const share = (at - scale.startedAt - scale.from) / scale.span
  return (
    <div data-part="playhead" aria-hidden="true" style={{ position: 'absolute', inset: 0 }}>
      <span data-part="track">
        <span
          data-part="line"
          style={{ position: 'absolute', insetBlock: 0, insetInlineStart: `${share * 100}%` }}
        />
      </span>
    </div>
  )
}
