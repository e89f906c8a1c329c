import type { ToolCallView } from '@offthread/core'
import { formatElapsed, useElapsed } from '@offthread/react'
import type { ReactNode } from 'react'

/** The running time of a call. While it runs, it is hidden from assistive technology, which would read each change. */
export function Elapsed({ call }: { readonly call: ToolCallView }): ReactNode {
  const clock = useElapsed(call.hasEnded ? undefined : call.times.runningAt)
  // An element of its own: React does not see what the clock writes, and would leave it there.
  if (!call.hasEnded) return <span key="clock" className="elapsed" ref={clock} aria-hidden="true" />
  const { timing } = call
  // The code of the call did not run.
  if (!timing || timing.runMs === 0) return <span className="elapsed" />
  return <span className="elapsed">{formatDuration(timing.runMs)}</span>
}

/** A measured duration: `23 ms`, `3.2 s`, `2 min 05 s`. */
export function formatDuration(ms: number): string {
  return ms < 950 ? `${Math.round(ms)} ms` : formatElapsed(ms)
}
