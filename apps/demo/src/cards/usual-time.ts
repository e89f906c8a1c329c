import type { AgentState } from '@offthread/core'

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
