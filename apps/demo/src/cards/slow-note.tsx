import type { Agent, AgentState, ToolCallView } from '@offthread/core'
import { type ReactNode, useEffect, useState } from 'react'
import { formatDuration } from './elapsed.tsx'

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

/**
 * The most milliseconds before a call counts as slow: a person who waits that long wants to know, however long the tool
 * usually takes.
 */
const mostMs = 10_000
/** The fewest milliseconds before that: sooner, the word would only flicker, however quick the tool usually is. */
const leastMs = 1000
/** With fewer calls than this it is not known how long a tool takes. */
const leastCalls = 5
/**
 * The most calls that are looked at, so that a long conversation is not read as a whole each time that a call starts.
 */
const mostCalls = 100

/**
 * How long a call of this tool may run before it is slow: as long as 95 % of the last calls of the conversation that
 * succeeded, at most 10 s.
 */
export function slowAfterMs(state: AgentState, toolName: string): number {
  const durations = lastDurations(state, toolName)
  if (durations.length < leastCalls) return mostMs
  const ordered = durations.sort((a, b) => a - b)
  const usual = ordered[Math.ceil(ordered.length * 0.95) - 1] ?? mostMs
  return Math.min(mostMs, Math.max(leastMs, usual))
}

function lastDurations({ messages, toolCalls }: AgentState, toolName: string): number[] {
  const durations: number[] = []
  for (const { content } of messages.toReversed()) {
    for (const part of content) {
      if (part.type !== 'toolCall' || part.toolName !== toolName) continue
      const call = toolCalls.get(part.toolCallId)
      if (call?.status === 'succeeded' && call.timing) durations.push(call.timing.runMs)
      if (durations.length === mostCalls) return durations
    }
  }
  return durations
}
