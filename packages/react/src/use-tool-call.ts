import {
  type Agent,
  type AgentState,
  canRetry,
  type Tool,
  type ToolCallView,
} from '@offthread/core'
import { useCallback, useMemo } from 'react'
import { cardOf, type ToolCallCard } from './tool-call-card.ts'
import { useAgentSelector } from './use-agent-selector.ts'

/**
 * One tool call, live. The component renders only when this call changes, or what can be done about it. `undefined` for an
 * id that the conversation does not hold.
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
  const select = useCallback((state: AgentState) => shownIn(state, toolCallId), [toolCallId])
  const { call, retry } = useAgentSelector(agent, select, isSame)
  return useMemo(() => call && cardOf(agent, call, { retry }), [agent, call, retry])
}

interface Shown {
  readonly call: ToolCallView | undefined
  readonly retry: boolean
}

function shownIn(state: AgentState, toolCallId: string): Shown {
  return { call: state.toolCalls.get(toolCallId), retry: canRetry(state, toolCallId) }
}

function isSame(a: Shown, b: Shown): boolean {
  return a.call === b.call && a.retry === b.retry
}
