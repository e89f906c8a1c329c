import type { ToolCallView } from '@offthread/core'
import { formatElapsed, useElapsed } from '@offthread/react'
import type { ReactNode } from 'react'

/** How long a call has been running, or ran. The running clock is for the eye: it is not read out. */
export function Elapsed({ call }: { readonly call: ToolCallView }): ReactNode {
  const clock = useElapsed(call.hasEnded ? undefined : call.times.runningAt)
  if (!call.hasEnded) return <span className="elapsed" ref={clock} aria-hidden="true" />
  const { timing } = call
  // What never ran took no time worth telling.
  if (!timing || timing.runMs === 0) return <span className="elapsed" />
  return <span className="elapsed">{formatDuration(timing.runMs)}</span>
}

/** A measured duration: `23 ms`, `3.2 s`, `2 min 05 s`. */
export function formatDuration(ms: number): string {
  return ms < 950 ? `${Math.round(ms)} ms` : formatElapsed(ms)
}
