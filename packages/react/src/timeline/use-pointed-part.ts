import { type PointerEvent, type RefObject, useRef } from 'react'
import { formatMs } from '../rows/format-ms.ts'
import type { TimeScale, TimeZoom } from './time-scale.ts'

/** A shorter movement is a click. */
const leastDragPx = 4

interface PointedPart {
  /** The handlers for the element around the timeline. */
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerCancel: (event: PointerEvent<HTMLElement>) => void
    readonly onPointerLeave: (event: PointerEvent<HTMLElement>) => void
  }
  /** The ref of the element that shows which moment is pointed at. */
  readonly moment: RefObject<HTMLElement | null>
}

/**
 * The moment under the mouse, and the part that is dragged over. Both are written to the element as they move, outside of
 * React: `--at`, and `--from` and `--to`, as shares of the scale; `data-pointed` is `moment` or `part`. A finger scrolls.
 */
export function usePointedPart(
  scale: TimeScale,
  onPart: (part: NonNullable<TimeZoom>) => void,
): PointedPart {
  const moment = useRef<HTMLElement>(null)
  const start = useRef<Point | null>(null)

  function show({ currentTarget: element }: PointerEvent<HTMLElement>, point: Point | null): void {
    if (!point) {
      delete element.dataset['pointed']
      return
    }
    const origin = start.current
    element.style.setProperty('--at', String(point.share))
    element.dataset['pointed'] = origin && isDrag(origin, point) ? 'part' : 'moment'
    if (origin) {
      element.style.setProperty('--from', String(Math.min(origin.share, point.share)))
      element.style.setProperty('--to', String(Math.max(origin.share, point.share)))
    }
    if (moment.current) moment.current.textContent = formatMs(scale.from + point.share * scale.span)
  }

  function leave(event: PointerEvent<HTMLElement>): void {
    start.current = null
    show(event, null)
  }

  return {
    moment,
    handlers: {
      onPointerDown: (event) => {
        const point = event.button === 0 ? pointOf(event) : null
        start.current = point?.isInside ? point : null
      },
      onPointerMove: (event) => {
        const point = pointOf(event)
        const origin = start.current
        // From here on it is a drag, which continues outside of the element.
        if (origin && point && isDrag(origin, point)) {
          event.currentTarget.setPointerCapture?.(event.pointerId)
        }
        show(event, point && (point.isInside || origin) ? point : null)
      },
      onPointerUp: (event) => {
        const [origin, end] = [start.current, pointOf(event)]
        leave(event)
        if (!origin || !end || !isDrag(origin, end)) return
        const [from, to] = [Math.min(origin.share, end.share), Math.max(origin.share, end.share)]
        onPart({ from: scale.from + from * scale.span, span: (to - from) * scale.span })
      },
      onPointerCancel: leave,
      onPointerLeave: leave,
    },
  }
}

interface Point {
  /** The place on the scale, from 0 to 1. */
  readonly share: number
  readonly x: number
  readonly isInside: boolean
}

function isDrag(origin: Point, end: Point): boolean {
  return Math.abs(end.x - origin.x) >= leastDragPx && end.share !== origin.share
}

/** Where a mouse or a pen is over the tracks; `null` for a finger. */
function pointOf(event: PointerEvent<HTMLElement>): Point | null {
  const track = event.currentTarget.querySelector('[data-part="axis"] [data-part="track"]')
  if (!track || event.pointerType === 'touch') return null
  return { ...shareIn(track, event.clientX), x: event.clientX }
}

/** The place on a track that lies under a place of the page. */
export function shareIn(track: Element, x: number): Omit<Point, 'x'> {
  const { left, right, width } = track.getBoundingClientRect()
  const isMirrored = getComputedStyle(track).direction === 'rtl'
  const share = (isMirrored ? right - x : x - left) / Math.max(1, width)
  return { share: Math.min(Math.max(0, share), 1), isInside: share >= 0 && share <= 1 }
}
