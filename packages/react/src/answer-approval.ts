import type { Agent, JsonObject } from '@offthread/core'

/** The answer of a person to an approval. `args` replaces the arguments of the call. */
export type ApprovalAnswer =
  | { readonly approved: true; readonly args?: JsonObject }
  | { readonly approved: false; readonly reason?: string }

/** A call, and the digest of the arguments that the person has seen; without one no answer counts. */
interface ShownCall {
  readonly toolCallId: string
  readonly argsDigest: string | undefined
}

/** Answers an approval for exactly the arguments that were shown. */
export function answerApproval(
  agent: Agent,
  { toolCallId, argsDigest = '' }: ShownCall,
  answer: ApprovalAnswer,
): void {
  if (typeof answer.approved !== 'boolean') {
    throw new TypeError('Answer { approved: true } or { approved: false }.')
  }
  agent.respondToApproval(toolCallId, { argsDigest, ...decisionOf(answer) })
}

function decisionOf(answer: ApprovalAnswer) {
  if (!answer.approved) return { decision: 'deny', reason: answer.reason } as const
  const { args } = answer
  return args ? ({ decision: 'edit', args } as const) : ({ decision: 'approve' } as const)
}
