import type { ApprovalResponse } from '../agent/calls.ts'
import type { Agent } from '../agent/create-agent.ts'
import type { Json } from '../internal/json.ts'
import { reportLater } from '../internal/report-later.ts'
import type { EventOf } from '../kernel/events.ts'

/** A call that has to be allowed. */
export interface ApprovableCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly args: Json
}

/** Says whether a call may run. Only `true` lets it. */
export type Approve = (call: ApprovableCall) => boolean | Promise<boolean>

/** Answers every call of an agent that has to be allowed. One that was stopped meanwhile needs no answer. */
export function answerApprovals(agent: Agent, approve: Approve | undefined): void {
  const waiting = new Set<string>()

  async function answer(request: EventOf<'tool_approval_requested'>): Promise<void> {
    const { toolCallId } = request
    waiting.add(toolCallId)
    const response = await responseTo(request, approve)
    if (waiting.delete(toolCallId)) agent.respondToApproval(toolCallId, response)
  }

  agent.subscribe((event) => {
    if (event.type === 'tool_approval_requested') void answer(event)
    if (event.type === 'tool_execution_end') waiting.delete(event.toolCallId)
  })
}

async function responseTo(
  request: EventOf<'tool_approval_requested'>,
  approve: Approve | undefined,
): Promise<ApprovalResponse> {
  const { toolCallId, toolName, args, argsDigest } = request
  const deny = (reason?: string): ApprovalResponse => ({
    decision: 'deny',
    argsDigest,
    ...(reason !== undefined && { reason }),
  })
  if (!approve) return deny('There is nobody to ask.')
  try {
    const isAllowed = await approve({ toolCallId, toolName, args })
    return isAllowed === true ? { decision: 'approve', argsDigest } : deny()
  } catch (error) {
    reportLater(error)
    return deny('Asking for it failed.')
  }
}
