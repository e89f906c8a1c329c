import type { ReactNode } from 'react'
import { useFocusAfter } from '../parts/focus.ts'
import { formatMs } from '../rows/format-ms.ts'
import { type TimeScale, ticksOf } from './time-scale.ts'

interface Scaled {
  readonly scale: TimeScale
}

interface TimeAxisProps extends Scaled {
  /** Shows the whole run again; `undefined` if the whole run is shown. */
  readonly onFit: (() => void) | undefined
  /** Called when the button disappears with the focus. */
  readonly onGone: () => void
}

/** The moments of a run, and the way back from a part of it. */
export function TimeAxis({ scale, onFit, onGone }: TimeAxisProps): ReactNode {
  return (
    <div data-part="axis">
      {onFit && <FitButton onClick={onFit} onGone={onGone} />}
      <span data-part="track" aria-hidden="true">
        {ticksOf(scale).map((tick) => (
          <span
            key={tick}
            data-part="tick"
            style={{ position: 'absolute', insetInlineStart: shareOf(tick, scale) }}
          >
            {formatTick(tick)}
          </span>
        ))}
      </span>
    </div>
  )
}

interface FitButtonProps {
  readonly onClick: () => void
  readonly onGone: () => void
}

function FitButton({ onClick, onGone }: FitButtonProps): ReactNode {
  const button = useFocusAfter<HTMLButtonElement>(onGone)
  return (
    <button ref={button} type="button" data-part="fit" onClick={onClick}>
      Show all
    </button>
  )
}

/** What lies over the rows, and lets clicks through. */
export const layer = { position: 'absolute', inset: 0, pointerEvents: 'none' } as const

interface PlayheadProps extends Scaled {
  readonly at: number | null
}

/** The moment of a replay. What comes later has not happened yet. */
export function Playhead({ at, scale }: PlayheadProps): ReactNode {
  if (at === null) return null
  const insetInlineStart = shareOf(at - scale.startedAt, scale)
  return (
    <div data-part="playhead" aria-hidden="true" style={layer}>
      <span data-part="track">
        <span
          data-part="later"
          style={{ position: 'absolute', insetBlock: 0, insetInlineStart, insetInlineEnd: 0 }}
        />
        <span data-part="line" style={{ position: 'absolute', insetBlock: 0, insetInlineStart }} />
      </span>
    </div>
  )
}

/** The place of a moment on the axis. `moment`: in milliseconds since the start. */
function shareOf(moment: number, { from, span }: TimeScale): string {
  return `${((moment - from) / span) * 100}%`
}

/** A round moment: `0`, `200 ms`, `5 s`, `1.5 s`. */
function formatTick(ms: number): string {
  if (ms === 0) return '0'
  return ms >= 1000 && ms < 60_000 && ms % 100 === 0 ? `${ms / 1000} s` : formatMs(ms)
}
