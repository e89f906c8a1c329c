import { type Ref, useCallback, useRef } from 'react'

/** One ref that sets two. */
export function useJoinedRef<Element>(
  a: Ref<Element> | undefined,
  b: Ref<Element> | undefined,
): (element: Element | null) => void {
  const ends = useRef<readonly (() => void)[]>([])
  return useCallback(
    (element: Element | null) => {
      for (const end of ends.current) end()
      ends.current = element ? [a, b].map((ref) => set(ref, element)) : []
    },
    [a, b],
  )
}

/** Returns what ends it: from React 19 on a function may return that itself, and is then not called with `null`. */
function set<Element>(ref: Ref<Element> | undefined, element: Element): () => void {
  if (typeof ref === 'function') {
    const end = ref(element)
    return typeof end === 'function' ? end : () => ref(null)
  }
  if (ref) ref.current = element
  return () => {
    if (ref) ref.current = null
  }
}
