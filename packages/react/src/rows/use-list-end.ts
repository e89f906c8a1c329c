import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

interface ListEndOptions {
  readonly count: number
  readonly rowPx: number
  readonly followsEnd: boolean
  readonly source: unknown
}

type Held = Pick<ListEndOptions, 'source' | 'count'>

/** The end of a list, and how to move in it. */
interface ListEnd {
  /** How many rows came since the end was left. */
  readonly added: number
  /** Scrolls to a position, and so leaves the end. */
  readonly scrollTo: (top: number) => void
  readonly toEnd: () => void
}

/** Keeps the last row of a list in view, until its reader scrolls up or a row is shown. */
export function useListEnd(
  scrollerRef: RefObject<HTMLElement | null>,
  { count, rowPx, followsEnd, source }: ListEndOptions,
): ListEnd {
  /** The list, and its length, when its end was left. */
  const [held, setHeld] = useState<Held | null>(null)
  const left = held && held.source === source ? held.count : null
  const latest = useRef({ source, count, left })
  /** The position to which the code has scrolled the list, to distinguish it from scrolling by the reader. */
  const own = useRef(-1)
  const leave = useCallback(() => {
    // Setting the same state may count as an update, too. An effect that sets it at each press of a key made 50 updates
    // without a pause, which React takes for an endless loop.
    if (latest.current.left === null) setHeld(latest.current)
  }, [])
  const toEnd = useCallback(() => setHeld(null), [])
  const write = useCallback(
    (top: number): void => {
      const { current } = scrollerRef
      if (!current) return
      current.scrollTop = top
      own.current = current.scrollTop
    },
    [scrollerRef],
  )
  useEffect(() => {
    latest.current = { source, count, left }
  }, [source, count, left])
  useEffect(() => {
    const { current } = scrollerRef
    if (!current) return undefined
    const onScroll = (): void => {
      const { scrollTop, scrollHeight, clientHeight } = current
      if (scrollTop === own.current) return
      own.current = -1
      if (scrollHeight - clientHeight - scrollTop < rowPx) toEnd()
      else leave()
    }
    current.addEventListener('scroll', onScroll, { passive: true })
    return () => current.removeEventListener('scroll', onScroll)
  }, [scrollerRef, rowPx, toEnd, leave])
  const isFollowing = followsEnd && left === null
  useEffect(() => {
    if (isFollowing) write(count * rowPx)
  }, [isFollowing, count, rowPx, write])
  const scrollTo = useCallback(
    (top: number): void => {
      leave()
      write(top)
    },
    [leave, write],
  )
  return { added: left === null ? 0 : Math.max(0, count - left), scrollTo, toEnd }
}
