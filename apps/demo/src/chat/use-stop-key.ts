import { useEffect } from 'react'
import { isComposing } from './is-composing.ts'

/** While a run is active, Escape stops it, wherever the focus is. */
export function useStopKey(active: boolean, stop: () => void): void {
  useEffect(() => {
    if (!active) return
    const onKeyDown = (event: KeyboardEvent): void => {
      // Whoever handled it already had something of its own to leave.
      if (event.key === 'Escape' && !event.defaultPrevented && !isComposing(event)) stop()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [active, stop])
}
