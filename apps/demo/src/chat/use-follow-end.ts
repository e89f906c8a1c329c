import type { RefObject } from 'react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Follower } from './follow-end.ts'
import { followEnd } from './follow-end.ts'

interface FollowEnd {
  readonly scroller: RefObject<HTMLElement | null>
  readonly content: RefObject<HTMLDivElement | null>
  /** The reader is somewhere else. */
  readonly detached: boolean
  readonly toEnd: () => void
  readonly hold: () => void
}

/** Keeps the end of the conversation in view; the rules are those of `followEnd`. */
export function useFollowEnd(): FollowEnd {
  const scroller = useRef<HTMLElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const follower = useRef<Follower>(null)
  const [detached, setDetached] = useState(false)
  useEffect(() => {
    if (!scroller.current || !content.current) return
    const created = followEnd({
      scroller: scroller.current,
      content: content.current,
      onChange: setDetached,
    })
    follower.current = created
    return created.dispose
  }, [])
  const toEnd = useCallback(() => follower.current?.toEnd(), [])
  const hold = useCallback(() => follower.current?.hold(), [])
  return { scroller, content, detached, toEnd, hold }
}
