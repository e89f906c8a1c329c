import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** Which rows of a long list are mounted. */
export interface RowWindow<Scroller extends HTMLElement> {
  /** The ref of the element that scrolls. */
  readonly scroller: RefObject<Scroller | null>
  /** The first row that is mounted, and the one after the last. */
  readonly start: number
  readonly end: number
  /** Scrolls until a row is in view. */
  readonly reveal: (index: number) => void
}

interface RowWindowOptions {
  readonly count: number
  /** The height of every row. */
  readonly rowPx: number
  /** Keeps the last row in view while rows are added, until its reader scrolls up. */
  readonly followsEnd?: boolean
}

const overscan = 8
/** More than any screen shows: a list that its page gives no height of its own does not mount all. */
const mostRows = 200
/** The height before it is measured, and where nothing is laid out. */
const unmeasuredPx = 480

/** Mounts the rows in view, and some around them: a list of any length costs the same. */
export function useRowWindow<Scroller extends HTMLElement = HTMLDivElement>({
  count,
  rowPx,
  followsEnd = false,
}: RowWindowOptions): RowWindow<Scroller> {
  const scroller = useRef<Scroller>(null)
  const isAtEnd = useRef(true)
  const [firstRow, setFirstRow] = useState(0)
  const [rows, setRows] = useState(Math.ceil(unmeasuredPx / rowPx))
  useEffect(() => {
    const element = scroller.current
    if (!element) return undefined
    const measure = (): void => {
      setFirstRow(Math.floor(element.scrollTop / rowPx))
      setRows(Math.min(Math.ceil((element.clientHeight || unmeasuredPx) / rowPx), mostRows))
    }
    const onScroll = (): void => {
      isAtEnd.current = element.scrollHeight - element.clientHeight - element.scrollTop < rowPx
      measure()
    }
    measure()
    element.addEventListener('scroll', onScroll, { passive: true })
    // Tests of apps may have none.
    const observer = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(measure)
    observer?.observe(element)
    return () => {
      element.removeEventListener('scroll', onScroll)
      observer?.disconnect()
    }
  }, [rowPx])
  useEffect(() => {
    if (followsEnd && isAtEnd.current && scroller.current) {
      scroller.current.scrollTop = count * rowPx
    }
  }, [followsEnd, count, rowPx])
  const reveal = useCallback(
    (index: number): void => {
      const element = scroller.current
      if (!element) return
      const top = index * rowPx
      const last = top + rowPx - (element.clientHeight || unmeasuredPx)
      if (element.scrollTop > top) element.scrollTop = top
      else if (element.scrollTop < last) element.scrollTop = last
    },
    [rowPx],
  )
  return {
    ...{ scroller, reveal },
    start: Math.max(0, Math.min(firstRow, count - rows) - overscan),
    end: Math.min(count, firstRow + rows + overscan),
  }
}
