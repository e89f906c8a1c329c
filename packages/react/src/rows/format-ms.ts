import { formatElapsed } from '../use-elapsed.ts'

/** A measured duration for people: `0 ms`, `23 ms`, `3.2 s`, `2 min 05 s`. */
export function formatMs(ms: number): string {
  return ms < 950 ? `${Math.round(Math.max(0, ms))} ms` : formatElapsed(ms)
}
