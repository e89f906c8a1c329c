import type { Agent, AgentState, JsonObject, ToolCallView } from '@offthread/core'
import { useCallback, useMemo } from 'react'
import { answerApproval } from './answer-approval.ts'
import { useAgentSelector } from './use-agent-selector.ts'

/** A tool call as a card shows it, and what a user can do with it. */
export interface ToolCallCard extends ToolCallView {
  /** Cancels this call only. Says whether there was something to cancel. */
  readonly cancel: () => boolean
  /** Allows it to run with the arguments in `approval`, or with others. Throws if it does not wait for that. */
  readonly approve: (args?: JsonObject) => void
  /** Does not allow it to run. The model reads the reason. */
  readonly deny: (reason?: string) => void
  /** Answers it in place of its tool, for tools with place `'client'`. */
  readonly answer: (output: unknown, options?: { readonly isError?: boolean }) => Promise<void>
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
  return useMemo(() => call && { ...call, ...actionsOf(agent, call) }, [agent, call])
}

function actionsOf(
  agent: Agent,
  call: ToolCallView,
): Pick<ToolCallCard, 'cancel' | 'approve' | 'deny' | 'answer'> {
  const { toolCallId } = call
  return {
    cancel: () => agent.cancelTool(toolCallId),
    approve: (args) => answerApproval(agent, call, { approved: true, ...(args && { args }) }),
    deny: (reason) =>
      answerApproval(agent, call, { approved: false, ...(reason !== undefined && { reason }) }),
    answer: (output, options) => agent.addToolResult(toolCallId, output, options),
  }
}
