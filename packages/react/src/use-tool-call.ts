import type { Agent, AgentState, Tool } from '@offthread/core'
import { useCallback, useMemo } from 'react'
import { cardOf, type ToolCallCard } from './tool-call-card.ts'
import { useAgentSelector } from './use-agent-selector.ts'

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
export function useToolCall<T extends Tool = Tool>(
  agent: Agent<T>,
  toolCallId: string,
): ToolCallCard<T> | undefined
export function useToolCall(agent: Agent, toolCallId: string): ToolCallCard | undefined {
  const select = useCallback((state: AgentState) => state.toolCalls.get(toolCallId), [toolCallId])
  const call = useAgentSelector(agent, select)
  return useMemo(() => call && cardOf(agent, call), [agent, call])
}
