import { type Ref, useCallback } from 'react'

/** One ref that sets two. */
export function useJoinedRef<Element>(
  a: Ref<Element> | undefined,
  b: Ref<Element> | undefined,
): (element: Element | null) => void {
  return useCallback(
    (element: Element | null) => {
      for (const ref of [a, b]) {
        if (typeof ref === 'function') ref(element)
        else if (ref) ref.current = element
      }
    },
    [a, b],
  )
}
