import { defined } from '../internal/defined.ts'
import { isJsonObject } from '../internal/json.ts'
import { readJson } from '../internal/read-json.ts'
import type { Draft } from '../kernel/draft.ts'
import { type MessageNode, openCall, type State } from '../kernel/state.ts'
import { hasEnded, isWaitingForClient, type ToolCall } from '../kernel/tool-call.ts'
import type { ToolResult } from '../kernel/tool-outcome.ts'
import type { OwnSettlement } from '../tools/protocol.ts'
import type { ApprovalResponse } from './approval-response.ts'
import type { AgentParts } from './parts.ts'
import type { RunningAgent } from './ports.ts'
import { AgentUsageError } from './usage-errors.ts'

/** Cancels one call. Says whether there was something to cancel. */
export function cancelCall(parts: AgentParts, toolCallId: string): boolean {
  const { runtime } = ownerOf(parts, toolCallId)
  const call = openCall(runtime.state(), toolCallId)
  if (!call || hasEnded(call) || call.cancelledBy !== undefined) return false
  runtime.write({ type: 'tool_cancel_requested', toolCallId, by: 'user' })
  return true
}

/** An answer from outside. */
export interface GivenResult {
  readonly result: unknown
  /** What the call should be a call of, if that was said. */
  readonly toolName: string | undefined
  readonly isError: boolean
  /** Throws if nothing can be written any more. */
  readonly recheck: () => void
}

/** Writes an answer that came from outside. */
export async function stageResult(
  parts: AgentParts,
  toolCallId: string,
  given: GivenResult,
): Promise<void> {
  const call = answerableCall(parts, toolCallId)
  if (given.toolName !== undefined && given.toolName !== call.toolName) {
    throw new AgentUsageError(
      'not_answerable',
      `The call ${toolCallId} is one of "${call.toolName}", not of "${given.toolName}". Answer it with the toolName of the call.`,
    )
  }
  const hosted = parts.settings().tools.get(call.toolName)
  // A failure has no output that could fit a schema.
  const outputSchema = given.isError ? undefined : hosted?.tool.outputSchema
  const tool = { name: call.toolName, outputSchema }
  const { settleReturned } = await loadResults()
  const settlement = await settleReturned(given.result, tool)
  if (settlement.kind === 'threw' && settlement.errorKind === 'invalid_result') {
    throw new TypeError(settlement.message)
  }
  // It may have been answered or cancelled meanwhile, or the run may be over.
  given.recheck()
  answerableCall(parts, toolCallId)
  const staged = resultOf(parts, settlement)
  const isError = given.isError || settlement.kind === 'threw'
  parts.runtime.write({ type: 'tool_result_staged', toolCallId, result: staged, isError })
}

/** Loaded with the first answer: a page whose tools run in workers never makes a result itself. */
async function loadResults() {
  try {
    return await import('../tools/result/settle-returned.ts')
  } catch (cause) {
    throw new AgentUsageError(
      'not_loaded',
      'The answer was not written: a part of the app could not be loaded. Check the connection and answer again, or reload the page.',
      { cause },
    )
  }
}

function resultOf({ artifacts }: AgentParts, settlement: OwnSettlement): ToolResult {
  if (settlement.kind === 'threw') {
    const { message, details } = settlement
    return { content: [{ type: 'text', text: message }], ...defined({ details }) }
  }
  const { artifacts: given = [], ...result } = settlement.result
  const kept = artifacts.put(given)
  return { ...result, ...(kept.length > 0 && { artifacts: kept }) }
}

/** Writes what a person said about a call. */
export function resolveApproval(
  parts: AgentParts,
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
  const fact = approvalFact(toolCallId, response)
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

function answerableCall(parts: AgentParts, toolCallId: string): ToolCall {
  const call = unsettledCall(parts.runtime.state(), toolCallId)
  const { tools, kernel } = parts.settings()
  if (isWaitingForClient(call)) return call
  const { stage, toolName } = call
  const place = stage.kind === 'streaming' ? tools.get(toolName)?.tool.place : stage.place
  if (place === 'client' || kernel.toolMode === 'manual') {
    throw new AgentUsageError(
      'not_answerable',
      `The call ${toolCallId} was not checked yet. Answer it when the run waits for it.`,
    )
  }
  throw new AgentUsageError(
    'not_answerable',
    `The call ${toolCallId} is answered by its tool. Only calls of tools with place 'client', or of an agent with toolMode 'manual', are answered from outside.`,
  )
}

function unsettledCall(state: State, toolCallId: string): ToolCall {
  const call = openCall(state, toolCallId)
  if (call && !hasEnded(call) && !call.staged && call.cancelledBy === undefined) return call
  if (call || wasCall(state.head, toolCallId)) {
    throw new AgentUsageError(
      'settled_call',
      `The call ${toolCallId} has its answer already. Look at its status before answering.`,
    )
  }
  throw new AgentUsageError(
    'unknown_call',
    `There is no call ${toolCallId} in this conversation. Use the toolCallId of a tool call as it is.`,
  )
}

/** The agent whose call it is: the session's own, or one that runs inside a call. */
export function ownerOf(parts: AgentParts, toolCallId: string): RunningAgent {
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
