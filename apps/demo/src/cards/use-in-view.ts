import { type RefObject, useLayoutEffect, useRef } from 'react'

const seenPx = 240

/** What a reader opens at the lower edge is scrolled up until its start is in view. */
export function useInView(isOpened: boolean): RefObject<HTMLElement | null> {
  const opened = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const scroller = opened.current?.closest('[role="log"]')
    if (!isOpened || !opened.current || !scroller) return
    const { top, bottom } = opened.current.getBoundingClientRect()
    const hidden = Math.min(bottom, top + seenPx) - scroller.getBoundingClientRect().bottom
    if (hidden > 0) scroller.scrollTop += hidden
  }, [isOpened])
  return opened
}
