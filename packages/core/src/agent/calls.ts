import { defined } from '../internal/defined.ts'
import { isJsonObject } from '../internal/json.ts'
import { readJson } from '../internal/read-json.ts'
import type { Draft } from '../kernel/draft.ts'
import { type MessageNode, openCall, type State } from '../kernel/state.ts'
import { hasEnded, type ToolCall } from '../kernel/tool-call.ts'
import type { ApprovalResponse } from './approval-response.ts'
import type { RunningAgent, RunningSession } from './ports.ts'
import { AgentUsageError } from './usage-errors.ts'

/** Whether the call, or one of an agent inside a call, can still be cancelled. */
export function canCancel(state: State, toolCallId: string): boolean {
  const call = openCall(state, toolCallId)
  if (!call) return [...state.agents.values()].some((agent) => canCancel(agent.state, toolCallId))
  // A call that the page has answered was done there: it is too late to say that it did not run.
  return !hasEnded(call) && !call.staged && call.cancelledBy === undefined
}

/** Writes a person's decision about a call. */
export function resolveApproval(
  parts: RunningSession,
  toolCallId: string,
  response: ApprovalResponse,
): void {
  const { runtime } = ownerOf(parts, toolCallId)
  const { stage } = unsettledCall(runtime.state(), toolCallId)
  if (stage.kind !== 'awaiting_approval') {
    throw new AgentUsageError(
      'not_awaiting_approval',
      `The call ${toolCallId} does not wait for an approval. Answer calls whose status is "awaiting_approval".`,
    )
  }
  // A response that is no object becomes one without a decision, and gets the error for that.
  const fact = approvalFact(toolCallId, { ...response })
  if (response.argsDigest !== stage.argsDigest) {
    throw new AgentUsageError(
      'stale_approval',
      `The approval of ${toolCallId} is for other arguments. Show the current ones and ask again.`,
    )
  }
  runtime.write(fact)
}

function approvalFact(toolCallId: string, response: ApprovalResponse): Draft {
  const { argsDigest } = response
  const resolved = { type: 'tool_approval_resolved', toolCallId, argsDigest } as const
  switch (response.decision) {
    case 'approve':
      return { ...resolved, decision: 'approve' }
    case 'deny': {
      const { reason } = response
      if (reason !== undefined && typeof reason !== 'string') {
        throw new TypeError('The reason of a denial must be a text.')
      }
      return { ...resolved, decision: 'deny', ...defined({ reason }) }
    }
    case 'edit': {
      const args = readJson(response.args)
      if (isJsonObject(args)) return { ...resolved, decision: 'edit', args }
      throw new TypeError('Edited arguments must be a JSON object.')
    }
    default:
      throw new TypeError("The decision must be 'approve', 'deny' or 'edit'.")
  }
}

/** A call that still waits for its end. Throws an `AgentUsageError` for any other. */
export function unsettledCall(state: State, toolCallId: string): ToolCall {
  const call = openCall(state, toolCallId)
  if (call && !hasEnded(call) && !call.staged && call.cancelledBy === undefined) return call
  if (call || wasCall(state.head, toolCallId)) {
    throw new AgentUsageError(
      'settled_call',
      `The call ${toolCallId} has its answer already. Answer calls that are neither isAnswered nor hasEnded.`,
    )
  }
  throw new AgentUsageError(
    'unknown_call',
    `There is no call ${toolCallId} in this conversation. Use the toolCallId of a tool call as it is.`,
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
