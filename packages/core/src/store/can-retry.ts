import type { AgentState } from './agent-state.ts'

/**
 * Whether to offer a retry of a call: it did not succeed, and `retryTool` would be taken now. While a run is active that is
 * so as long as other calls of its answer have not ended.
 *
 * @example
 * ```ts
 * retryButton.hidden = !canRetry(agent.getState(), toolCallId)
 * ```
 */
export function canRetry({ can, status, toolCalls }: AgentState, toolCallId: string): boolean {
  const call = toolCalls.get(toolCallId)
  if (!call || !can.send || call.status === 'succeeded' || call.errorKind === 'truncated_call') {
    return false
  }
  if (can.edit) return call.hasEnded || call.status === 'interrupted'
  const isOpen = toolCalls.active.some(({ messageId }) => messageId === call.messageId)
  return call.hasEnded && isOpen && status !== 'stopping'
}
