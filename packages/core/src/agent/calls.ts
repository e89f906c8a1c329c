import { type MessageNode, openCall, type State } from '../kernel/state.ts'
import { hasEnded, type ToolCall } from '../kernel/tool-call.ts'
import type { RunningAgent, RunningSession } from './ports.ts'
import { AgentUsageError } from './usage-errors.ts'

/** Whether the call, or one of an agent inside a call, can still be cancelled. */
export function canCancel(state: State, toolCallId: string): boolean {
  const call = openCall(state, toolCallId)
  if (!call) return [...state.agents.values()].some((agent) => canCancel(agent.state, toolCallId))
  // A call that the page has answered was done there: it is too late to say that it did not run.
  return !hasEnded(call) && !call.staged && call.cancelledBy === undefined
}

/** A call that still waits for its end. Throws an `AgentUsageError` for any other. */
export function unsettledCall(state: State, toolCallId: string): ToolCall {
  const call = openCall(state, toolCallId)
  if (call && !hasEnded(call) && !call.staged && call.cancelledBy === undefined) return call
  if (call || wasCall(state.head, toolCallId)) {
    throw new AgentUsageError(
      'settled_call',
      `The call ${String(toolCallId)} has its answer already. Answer calls that are neither isAnswered nor hasEnded.`,
    )
  }
  throw new AgentUsageError(
    'unknown_call',
    `There is no call ${String(toolCallId)} in this conversation. Use a toolCallId as it is.`,
  )
}

/** The agent whose call it is: the session's own, or one that runs inside a call. */
export function ownerOf(parts: RunningSession, toolCallId: string): RunningAgent {
  for (const agent of parts.subAgents.values()) {
    if (openCall(agent.runtime.state(), toolCallId)) return agent
  }
  return parts
}

function wasCall(head: MessageNode | null, toolCallId: string): boolean {
  for (let node = head; node; node = node.parent) {
    if (node.calls.some((call) => call.toolCallId === toolCallId)) return true
  }
  return false
}
