import { ofType } from '../internal/check-value.ts'
import { defined } from '../internal/defined.ts'
import { isJsonObject, type JsonObject } from '../internal/json.ts'
import { readJson } from '../internal/read-json.ts'
import type { Draft } from '../kernel/draft.ts'
import { ownerOf, unsettledCall } from './calls.ts'
import type { RunningSession } from './ports.ts'
import { AgentUsageError } from './usage-errors.ts'

/** What a person says about a call that waits to be allowed. `argsDigest` names the arguments that were shown. */
export type ApprovalResponse =
  | { readonly decision: 'approve'; readonly argsDigest: string }
  | { readonly decision: 'deny'; readonly argsDigest: string; readonly reason?: string | undefined }
  | { readonly decision: 'edit'; readonly argsDigest: string; readonly args: JsonObject }

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
      `The approval of ${toolCallId} is for other arguments. Show these and ask again.`,
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
      if (reason !== undefined) ofType('string', 'The reason', reason)
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
