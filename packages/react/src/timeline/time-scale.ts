import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'

/** The part of a run that is drawn. */
export interface TimeScale {
  /** Epoch milliseconds of the start of the run. */
  readonly startedAt: number
  /** Milliseconds after that, where the drawn part begins. */
  readonly from: number
  /** Milliseconds that are drawn. */
  readonly span: number
}

/** A part of a run that was zoomed into; `null`: all of it. */
export type TimeZoom = Pick<TimeScale, 'from' | 'span'> | null

interface Extent {
  readonly startedAt: number
  /** `null` while it goes on. */
  readonly endedAt: number | null
}

const leastSpanMs = 1000
const calmMs = 500

/**
 * The scale of a time axis. While the time goes on, the axis grows in steps, so that what is drawn does not creep, and the
 * running edge is written to the element as `--now`, the milliseconds since the start, outside of React.
 */
export function useTimeScale<Element extends HTMLElement = HTMLDivElement>(
  { startedAt, endedAt }: Extent,
  zoom: TimeZoom = null,
): { readonly edge: RefObject<Element | null>; readonly scale: TimeScale } {
  const edge = useRef<Element>(null)
  const [passed, setPassed] = useState(0)
  useEffect(() => {
    if (!edge.current) return undefined
    const { style } = edge.current
    const write = (): void => {
      const now = Math.max(0, (endedAt ?? Date.now()) - startedAt)
      style.setProperty('--now', String(now))
      // React does not render again for the same step.
      setPassed(steppedSpan(now))
    }
    write()
    return endedAt === null ? everyFrame(write) : undefined
  }, [startedAt, endedAt])
  const whole = endedAt === null ? Math.max(leastSpanMs, passed) : Math.max(1, endedAt - startedAt)
  const { from, span } = zoom ?? { from: 0, span: whole }
  const scale = useMemo(() => ({ startedAt, from, span }), [startedAt, from, span])
  return { edge, scale }
}

/** The lengths of an axis that grows: 1 s, 1.5 s, 2.3 s, … */
function steppedSpan(passedMs: number): number {
  let span = leastSpanMs
  while (span < passedMs) span *= 1.5
  return span
}

function everyFrame(write: () => void): () => void {
  if (globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches) {
    const timer = setInterval(write, calmMs)
    return () => clearInterval(timer)
  }
  const next = (): void => {
    write()
    frame = requestAnimationFrame(next)
  }
  let frame = requestAnimationFrame(next)
  return () => cancelAnimationFrame(frame)
}

/** About four round moments of the drawn part, in milliseconds since the start. */
export function ticksOf({ from, span }: Omit<TimeScale, 'startedAt'>): readonly number[] {
  const rough = span / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power
  const ticks: number[] = []
  for (let tick = Math.ceil(from / step) * step; tick <= from + span; tick += step) ticks.push(tick)
  return ticks
}
