import type { Agent, JsonObject } from '@offthread/core'

/** What a person says about a call. `args` takes the place of its arguments. */
export type ApprovalAnswer =
  | { readonly approved: true; readonly args?: JsonObject }
  | { readonly approved: false; readonly reason?: string }

/** A call as it was shown: the digest names the arguments that a person has seen. */
export interface ShownCall {
  readonly toolCallId: string
  readonly approval?: { readonly argsDigest: string }
}

/** Tells the agent what a person said about a call. What is answered is what was shown. */
export function answerApproval(agent: Agent, call: ShownCall, answer: ApprovalAnswer): void {
  const { toolCallId } = call
  const argsDigest = call.approval?.argsDigest ?? ''
  if (!answer.approved) {
    const { reason } = answer
    const denial = { decision: 'deny', argsDigest } as const
    agent.respondToApproval(toolCallId, reason === undefined ? denial : { ...denial, reason })
  } else if (answer.args) {
    agent.respondToApproval(toolCallId, { decision: 'edit', argsDigest, args: answer.args })
  } else {
    agent.respondToApproval(toolCallId, { decision: 'approve', argsDigest })
  }
}
