import type { TimeScale, TimeZoom } from './time-scale.ts'

type Part = Omit<TimeScale, 'startedAt'>

const leastSpanMs = 1

/** A part around the same middle, `factor` times as long. */
export function zoomed({ from, span }: Part, factor: number): TimeZoom {
  const next = Math.max(leastSpanMs, span * factor)
  return { from: Math.max(0, from + (span - next) / 2), span: next }
}

/** A part as long, moved by a share of its length. */
export function panned({ from, span }: Part, share: number): TimeZoom {
  return { from: Math.max(0, from + span * share), span }
}
