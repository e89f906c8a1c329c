import { formatElapsed } from '@offthread/react'

/** A measured duration: `23 ms`, `3.2 s`, `2 min 05 s`. */
export function formatDuration(ms: number): string {
  return ms < 950 ? `${Math.round(ms)} ms` : formatElapsed(ms)
}
