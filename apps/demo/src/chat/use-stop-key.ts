import { useEffect } from 'react'

/** While a run is active, Escape stops it, wherever the focus is. */
export function useStopKey(active: boolean, stop: () => void): void {
  useEffect(() => {
    if (!active) return
    const onKeyDown = (event: KeyboardEvent): void => {
      // A component that handled the key has called preventDefault.
      if (event.key === 'Escape' && !event.defaultPrevented && !isComposing(event)) stop()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [active, stop])
}

/** Whether a word is being composed. The input method then handles Enter and Escape. */
export function isComposing(event: KeyboardEvent): boolean {
  // Safari ends the composition before this event; only the deprecated keyCode shows it.
  return event.isComposing || event.keyCode === 229
}
