import type { Agent, ToolCallView } from '@offthread/core'
import { type ReactNode, useEffect, useState } from 'react'
import { formatDuration } from './elapsed.tsx'
import { slowAfterMs } from './usual-time.ts'

interface SlowNoteProps {
  readonly agent: Agent
  readonly call: ToolCallView
}

/** Says of a running call that it takes long, for its tool or for a person who waits. */
export function SlowNote({ agent, call }: SlowNoteProps): ReactNode {
  const afterMs = useSlowAfter(agent, call)
  if (afterMs === undefined) return null
  return (
    <span className="card-slow" title={`It has run for more than ${formatDuration(afterMs)}`}>
      slow
    </span>
  )
}

/** The time after which this attempt is slow, once that has passed. One timer, no clock: until then nothing renders. */
function useSlowAfter(agent: Agent, call: ToolCallView): number | undefined {
  const { status, toolName, times } = call
  const from = status === 'running' ? times.runningAt : undefined
  const [slow, setSlow] = useState<{ readonly from: number; readonly afterMs: number }>()
  useEffect(() => {
    if (from === undefined) return
    const afterMs = slowAfterMs(agent.getState(), toolName)
    const timer = setTimeout(
      () => setSlow({ from, afterMs }),
      Math.max(0, from + afterMs - Date.now()),
    )
    return () => clearTimeout(timer)
  }, [agent, toolName, from])
  return slow !== undefined && slow.from === from ? slow.afterMs : undefined
}
