import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useId, useState } from 'react'
import { gridRole } from '../rows/roles.ts'
import { rowAfterKey } from '../rows/row-after-key.ts'
import { useRowWindow } from '../rows/use-row-window.ts'
import { LoadChart } from './load-chart.tsx'
import type { PlacedRow } from './rows-of-run.ts'
import { layer, Playhead, TimeAxis } from './time-axis.tsx'
import { type TimeScale, type TimeZoom, useTimeScale } from './time-scale.ts'
import { TimelineRowView } from './timeline-row-view.tsx'
import { shareIn, usePointedPart } from './use-pointed-part.ts'
import type { RunTimeline } from './use-run-timeline.ts'
import { zoomAfterKey, zoomed } from './zoom.ts'

/** The props of a timeline. */
export interface TimelineGridProps {
  /** The timeline that `useRunTimeline` returned. */
  readonly timeline: RunTimeline
  /** The key of the row that is chosen: its kind and id, `call call_1`. Without it the grid remembers that itself. */
  readonly active?: string | null
  /** Called when another row is chosen, with a click or with the arrow keys. */
  readonly onActiveChange?: (key: string) => void
  /** Called for Enter on the row that is chosen, and for a double click. */
  readonly onOpen?: (key: string) => void
  /** Called for `c` on the row of a call that has not ended, with the id of the call. */
  readonly onCancel?: (toolCallId: string) => void
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
 * phase and a mark for what else happened; above them, how many calls ran at once. It has no style but the places of its
 * bars: `data-part` names its parts, `data-phase` what a bar stands for, `data-mark` what a mark does.
 *
 * It is one stop of the Tab key. The arrow keys, Page Up and Down, Home and End choose a row, `c` cancels its call, `+` and
 * `-` zoom, ← and → move, `0` shows all. A mouse shows the moment under it, and zooms into what is dragged over. Each row is
 * named in a sentence. Only the rows in view are mounted.
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
  const { handlers, moment } = usePointedPart(scale, setZoom)
  const showAll = useCallback(() => setZoom(null), [])
  const focusRows = useCallback(() => scroller.current?.focus(), [scroller])
  useEffect(() => zoomByWheel(scroller.current, setZoom, scale), [scroller, scale])
  useEffect(() => {
    if (choice.index >= 0) reveal(choice.index)
  }, [choice.index, reveal])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const next = rowAfterKey(event.key, choice.index, rows.length)
    const zoomedTo = zoomAfterKey(event.key, scale)
    if (next === null && zoomedTo === undefined && !choice.takeKey(event.key)) return
    event.preventDefault()
    if (zoomedTo !== undefined) setZoom(zoomedTo)
    if (next !== null) choice.toIndex(next)
  }
  return (
    <div data-part="timeline" ref={edge} style={{ position: 'relative' }} {...handlers}>
      <TimeAxis scale={scale} onFit={zoom ? showAll : undefined} onGone={focusRows} />
      <LoadChart rows={rows} scale={scale} />
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
      <div data-part="pointed" aria-hidden="true" style={layer}>
        <span data-part="track">
          <span data-part="moment" ref={moment} />
        </span>
      </div>
    </div>
  )
}

/** The chosen row: controlled by the component around the grid, or kept here. */
function useChoice(
  rows: readonly PlacedRow[],
  { active, onActiveChange, onOpen, onCancel }: Omit<TimelineGridProps, 'timeline'>,
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
      const row = rows[index]?.row
      if (!row || key === null) return false
      if (pressed === 'Enter' && onOpen) onOpen(key)
      else if (pressed === 'c' && onCancel && row.kind === 'call' && row.end === null) {
        onCancel(row.id)
      } else return false
      return true
    },
  }
}

function indexOf(target: EventTarget): number {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
  return row ? Number(row.dataset['index']) : -1
}

/** React's own wheel listener is passive: it could not keep the browser from zooming the page. */
function zoomByWheel(
  element: HTMLElement | null,
  setZoom: (zoom: TimeZoom) => void,
  scale: TimeScale,
) {
  const onWheel = (event: WheelEvent): void => {
    if (!event.ctrlKey) return
    event.preventDefault()
    const track = element?.querySelector('[data-part="track"]')
    const { share } = track ? shareIn(track, event.clientX) : {}
    setZoom(zoomed(scale, event.deltaY > 0 ? 1.2 : 1 / 1.2, share))
  }
  element?.addEventListener('wheel', onWheel, { passive: false })
  return () => element?.removeEventListener('wheel', onWheel)
}
