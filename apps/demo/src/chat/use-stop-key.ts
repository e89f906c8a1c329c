import { useEffect } from 'react'

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

/** Whether a word is being composed: Enter and Escape then belong to the input method. */
export function isComposing(event: KeyboardEvent): boolean {
  // Safari ends the composition before the key that ended it; only the old code still tells.
  return event.isComposing || event.keyCode === 229
}
