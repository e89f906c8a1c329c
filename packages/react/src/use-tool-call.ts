import type { Agent, AgentState, ToolCallView } from '@offthread/core'
import { useCallback, useMemo } from 'react'
import { useAgentSelector } from './use-agent-selector.ts'

/** A tool call as a card shows it, and what a user can do with it. */
export interface ToolCallCard extends ToolCallView {
  /** Cancels this call only. Says whether there was something to cancel. */
  readonly cancel: () => boolean
}

/**
 * One tool call, live. The component renders only when this call changes. `undefined` for an id that the
 * conversation does not hold.
 *
 * @example
 * ```tsx
 * function ToolCard({ id }: { id: string }) {
 *   const call = useToolCall(agent, id)
 *   return call && <button onClick={call.cancel} disabled={call.hasEnded}>{call.label}: {call.status}</button>
 * }
 * ```
 */
export function useToolCall(agent: Agent, toolCallId: string): ToolCallCard | undefined {
  const select = useCallback((state: AgentState) => state.toolCalls.get(toolCallId), [toolCallId])
  const call = useAgentSelector(agent, select)
  return useMemo(
    () => call && { ...call, cancel: () => agent.cancelTool(toolCallId) },
    [agent, call, toolCallId],
  )
}
