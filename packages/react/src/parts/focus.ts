import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * When the element of the returned ref disappears while it has the focus, `next` is called, to focus something else:
 * otherwise the browser would give the focus to the body, and the keyboard would start again at the top.
 */
export function useFocusAfter<Element extends HTMLElement>(
  next: () => void,
): RefObject<Element | null> {
  const element = useRef<Element>(null)
  const latest = useRef(next)
  useLayoutEffect(() => {
    latest.current = next
  })
  useLayoutEffect(() => {
    const { current } = element
    return () => {
      // This finds the focus in a shadow root as well.
      if (current?.matches(':focus-within')) latest.current()
    }
  }, [])
  return element
}

/** Whether a touch keyboard would cover the page when a field gets the focus. It has no Shift + Enter either. */
export function hasTouchKeyboard(): boolean {
  return globalThis.matchMedia?.('(hover: none) and (pointer: coarse)').matches ?? false
}
