import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useListEnd } from './use-list-end.ts'

/** Which rows of a long list are mounted. */
export interface RowWindow<Scroller extends HTMLElement> {
  /** The ref of the element that scrolls. */
  readonly scroller: RefObject<Scroller | null>
  /** The first row that is mounted, and the one after the last. */
  readonly start: number
  readonly end: number
  /** How many rows came since the reader left the end. */
  readonly added: number
  /** Scrolls until a row is in view, and follows the end no more. */
  readonly reveal: (index: number) => void
  /** Scrolls to the end, and follows it again. */
  readonly toEnd: () => void
}

interface RowWindowOptions {
  readonly count: number
  /** The height of every row. */
  readonly rowPx: number
  /** Keeps the last row in view while rows are added, until its reader scrolls up. */
  readonly followsEnd?: boolean
  /** The source of the rows. With another source the list starts again. */
  readonly source?: unknown
}

const overscan = 8
/** The most rows that are mounted, also in a list to which the page gives no height of its own. */
const mostRows = 200
/** The height before it is measured, and where nothing is laid out. */
const unmeasuredPx = 480

/** Mounts the rows in view, and some around them: a list of any length costs the same. */
export function useRowWindow<Scroller extends HTMLElement = HTMLDivElement>({
  count,
  rowPx,
  followsEnd = false,
  source,
}: RowWindowOptions): RowWindow<Scroller> {
  const scroller = useRef<Scroller>(null)
  const [firstRow, setFirstRow] = useState(0)
  const [rows, setRows] = useState(Math.ceil(unmeasuredPx / rowPx))
  useEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    const measure = (): void => {
      setFirstRow(Math.floor(element.scrollTop / rowPx))
      setRows(Math.min(Math.ceil((element.clientHeight || unmeasuredPx) / rowPx), mostRows))
    }
    measure()
    element.addEventListener('scroll', measure, { passive: true })
    // Test environments of apps may lack it.
    const observer = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(measure)
    observer?.observe(element)
    return () => {
      element.removeEventListener('scroll', measure)
      observer?.disconnect()
    }
  }, [rowPx])
  const { added, scrollTo, toEnd } = useListEnd(scroller, { count, rowPx, followsEnd, source })
  const reveal = useCallback(
    (index: number): void => {
      const element = scroller.current
      if (!element) return
      const top = index * rowPx
      const last = top + rowPx - (element.clientHeight || unmeasuredPx)
      scrollTo(Math.max(Math.min(element.scrollTop, top), last))
    },
    [rowPx, scrollTo],
  )
  return {
    ...{ scroller, added, reveal, toEnd },
    start: Math.max(0, Math.min(firstRow, count - rows) - overscan),
    end: Math.min(count, firstRow + rows + overscan),
  }
}
