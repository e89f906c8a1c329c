import type { TimeScale, TimeZoom } from './time-scale.ts'

type Part = Omit<TimeScale, 'startedAt'>

const leastSpanMs = 1

/** Zooms by a factor: the moment at `share` of the shown part keeps its place on the screen. */
export function zoomed({ from, span }: Part, factor: number, share = 0.5): TimeZoom {
  const next = Math.max(leastSpanMs, span * factor)
  return { from: Math.max(0, from + (span - next) * share), span: next }
}

/** Moves the shown part by a share of its length. */
function panned({ from, span }: Part, share: number): TimeZoom {
  return { from: Math.max(0, from + span * share), span }
}

/** The shown part after a key was pressed; `undefined` for a key that does nothing here. */
export function zoomAfterKey(key: string, scale: Part): TimeZoom | undefined {
  switch (key) {
    case '+':
    case '=':
      return zoomed(scale, 1 / 1.5)
    case '-':
      return zoomed(scale, 1.5)
    case 'ArrowLeft':
      return panned(scale, -0.2)
    case 'ArrowRight':
      return panned(scale, 0.2)
    case '0':
      return null
    default:
      return undefined
  }
}
