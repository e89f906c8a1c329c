import { type RefCallback, useCallback, useRef } from 'react'

/**
 * Writes the seconds between two moments (epoch milliseconds) into an element, like `3.2 s`; without `to` it
 * keeps counting. Returns the ref for that element. The clock ticks outside React: it renders nothing.
 *
 * @example
 * ```tsx
 * const elapsed = useElapsed(call.times.runningAt, call.times.endedAt)
 * return <span ref={elapsed} />
 * ```
 */
export function useElapsed(from?: number, to?: number): RefCallback<HTMLElement> {
  const stop = useRef<() => void>(undefined)
  return useCallback(
    // React 18 calls no function that a ref returns, but every React calls the ref with `null` without one.
    (element: HTMLElement | null) => {
      stop.current?.()
      stop.current = undefined
      if (!element) return
      const write = (): void => {
        element.textContent = from === undefined ? '' : formatElapsed((to ?? Date.now()) - from)
      }
      write()
      if (from !== undefined && to === undefined) stop.current = everyTick(write)
    },
    [from, to],
  )
}

/** A duration for people: `0.4 s`, `12.3 s`, `2 min 05 s`. */
export function formatElapsed(ms: number): string {
  const tenths = Math.floor(Math.max(0, ms) / 100)
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`
  const whole = Math.floor(tenths / 10)
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`
}

const tickMs = 100
const ticking = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

// One timer for all clocks of the page; none when no clock runs.
function everyTick(write: () => void): () => void {
  ticking.add(write)
  timer ??= setInterval(() => {
    for (const each of ticking) each()
  }, tickMs)
  return () => {
    ticking.delete(write)
    if (ticking.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
