import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** A view of a growing text that follows its end. */
export interface StickToBottom<Scroller extends HTMLElement, Content extends HTMLElement> {
  /** The ref of the element that scrolls. While it follows the end, it has `data-following="true"`. */
  readonly scroller: RefObject<Scroller | null>
  /** The ref of the only child of the scrolling element, which grows. */
  readonly content: RefObject<Content | null>
  /** A reader has scrolled away from the end: offer a way back. */
  readonly isDetached: boolean
  /** Scrolls to the end and follows it. Does nothing before the elements are there. */
  readonly toEnd: () => void
  /** Call it when a reader opens or closes something: what they look at stays where it is. */
  readonly hold: () => void
}

/**
 * Keeps the end of a growing text in view after the first `toEnd`. Scrolling up, its keys and selecting text detach the
 * view; scrolling back to the end attaches it again. Text that grows or shrinks does neither. Both elements have to be
 * there when the component mounts. Give the scrolling element `overflow-anchor: none` while it follows.
 *
 * @example
 * ```tsx
 * const { scroller, content, isDetached, toEnd } = useStickToBottom()
 * return (
 *   <>
 *     <div ref={scroller} style={{ overflow: 'auto', height: 400 }}>
 *       <div ref={content}><Messages /></div>
 *     </div>
 *     {isDetached && <button onClick={toEnd}>Jump to latest</button>}
 *   </>
 * )
 * ```
 */
export function useStickToBottom<
  Scroller extends HTMLElement = HTMLDivElement,
  Content extends HTMLElement = HTMLDivElement,
>(): StickToBottom<Scroller, Content> {
  const scroller = useRef<Scroller>(null)
  const content = useRef<Content>(null)
  const follower = useRef<ReturnType<typeof followEnd>>(null)
  const [isDetached, setDetached] = useState(false)
  // A child may ask for the end in its own effect, which comes before this one.
  const start = useCallback(() => {
    if (follower.current || !scroller.current || !content.current) return follower.current
    follower.current = followEnd(scroller.current, content.current, setDetached)
    return follower.current
  }, [])
  useEffect(() => {
    start()
    return () => {
      follower.current?.dispose()
      follower.current = null
    }
  }, [start])
  const toEnd = useCallback(() => start()?.toEnd(), [start])
  const hold = useCallback(() => follower.current?.hold(), [])
  return { scroller, content, isDetached, toEnd, hold }
}

const nearPx = 32

/** `onChange` gets whether the reader has scrolled away from the end. */
function followEnd(
  scroller: HTMLElement,
  content: HTMLElement,
  onChange: (isDetached: boolean) => void,
) {
  const controller = new AbortController()
  const { signal } = controller
  // React may end the effects of a view and start them again: the view then goes on as its reader had left it.
  let hasFollowed = 'following' in scroller.dataset
  let following = scroller.dataset['following'] === 'true'
  let held = false
  let lastTop = scroller.scrollTop

  const toGo = (): number => scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop
  const scrolls = (): boolean => scroller.scrollHeight > scroller.clientHeight + 1
  // A text that has shrunk may be in view as a whole again, although the reader had scrolled away.
  const show = (): void => onChange(hasFollowed && !following && toGo() > nearPx)
  const follow = (next: boolean): void => {
    if (next === following) return
    following = next
    hasFollowed = true
    scroller.dataset['following'] = String(next)
    show()
  }
  const pin = (): void => {
    scroller.scrollTop = scroller.scrollHeight
    lastTop = scroller.scrollTop
  }
  const detach = (): void => {
    if (scrolls()) follow(false)
  }
  // A shrinking text also lowers `scrollTop`, but its end stays in view.
  const onScroll = (): void => {
    const { scrollTop } = scroller
    if (scrollTop < lastTop - 1 && toGo() > nearPx) detach()
    else if (scrollTop > lastTop && toGo() <= nearPx) follow(true)
    lastTop = scrollTop
    if (!following) show()
  }

  scroller.addEventListener('scroll', onScroll, { signal, passive: true })
  watchGestures(scroller, signal, detach)
  const observer = new ResizeObserver(() => {
    if (held) follow(toGo() <= nearPx)
    else if (following) pin()
    held = false
    if (!following) show()
  })
  observer.observe(content)
  observer.observe(scroller)
  return {
    /** Scrolls to the end and follows it. */
    toEnd: () => {
      follow(true)
      pin()
    },
    /** Keeps the view in place while the user opens or closes something. */
    hold: () => {
      held = true
      // If no size has changed within two frames, none will.
      requestAnimationFrame(() => requestAnimationFrame(() => (held = false)))
    },
    dispose: () => {
      controller.abort()
      observer.disconnect()
    },
  }
}

const upKeys = new Set(['PageUp', 'ArrowUp', 'Home'])

/** Detaches at the gesture, before the scroll event: otherwise following would scroll back. */
function watchGestures(scroller: HTMLElement, signal: AbortSignal, detach: () => void): void {
  let lastY = 0
  const passive = { signal, passive: true }
  scroller.addEventListener('wheel', ({ deltaY }) => deltaY < 0 && detach(), passive)
  scroller.addEventListener('keydown', ({ key }) => upKeys.has(key) && detach(), passive)
  scroller.addEventListener(
    'touchstart',
    ({ touches }) => (lastY = touches[0]?.clientY ?? 0),
    passive,
  )
  scroller.addEventListener(
    'touchmove',
    ({ touches }) => {
      const y = touches[0]?.clientY ?? 0
      if (y > lastY + 4) detach()
      lastY = y
    },
    passive,
  )
  document.addEventListener(
    'selectionchange',
    () => {
      const selection = document.getSelection()
      if (selection?.isCollapsed === false && scroller.contains(selection.anchorNode)) detach()
    },
    { signal },
  )
}
