import { type RefObject, useLayoutEffect, useRef } from 'react'

/** When the element of the returned ref disappears while it has the focus, `next` puts the focus elsewhere. */
export function useFocusAfter<Element extends HTMLElement>(
  next: () => void,
): RefObject<Element | null> {
  const element = useRef<Element>(null)
  useLayoutEffect(() => {
    const { current } = element
    return () => {
      if (current?.contains(document.activeElement)) next()
    }
  }, [next])
  return element
}
