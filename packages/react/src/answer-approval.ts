import type { Agent, JsonObject } from '@offthread/core'

/** The answer of a person to an approval. `args` replaces the arguments of the call. */
export type ApprovalAnswer =
  | { readonly approved: true; readonly args?: JsonObject }
  | { readonly approved: false; readonly reason?: string }

/** A call as it was shown: the digest names the arguments that the person has seen. */
export interface ShownCall {
  readonly toolCallId: string
  readonly approval?: { readonly argsDigest: string }
}

/** Answers an approval for exactly the arguments that were shown. */
export function answerApproval(agent: Agent, call: ShownCall, answer: ApprovalAnswer): void {
  const { toolCallId } = call
  const argsDigest = call.approval?.argsDigest ?? ''
  if (typeof answer.approved !== 'boolean') {
    throw new TypeError('The answer must be { approved: true } or { approved: false }.')
  }
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
