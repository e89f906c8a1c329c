import type { Agent, ApprovalResponse } from '@offthread/core'
import type { ReceivedMessage, ReceivedPart } from './sdk-types.ts'

/**
 * Gives the agent a person's answers in the chat to calls that wait. Returns these calls. Throws, as
 * `respondToApproval` does, for a decision about other arguments than those of the call.
 */
export async function giveAnswers(
  agent: Agent,
  { parts }: ReceivedMessage,
): Promise<ReadonlySet<string>> {
  const answered = new Set<string>()
  const stored: Promise<void>[] = []
  for (const part of parts) {
    const { toolCallId = '' } = part
    const call = agent.getState().toolCalls.get(toolCallId)
    if (!call || call.hasEnded || call.isAnswered) continue
    const response = call.approval && responseIn(part)
    const result = call.place === 'client' && !call.approval ? resultIn(part) : undefined
    if (response) agent.respondToApproval(toolCallId, response)
    if (result)
      stored.push(agent.addToolResult(toolCallId, result.value, { isError: result.isError }))
    if (response || result) answered.add(toolCallId)
  }
  await Promise.all(stored)
  return answered
}

function responseIn({ state, approval }: ReceivedPart): ApprovalResponse | undefined {
  if (state !== 'approval-responded' || !approval) return undefined
  const { approved, reason, signature: argsDigest = '' } = approval
  if (approved) return { decision: 'approve', argsDigest }
  return { decision: 'deny', argsDigest, ...(reason !== undefined && { reason }) }
}

interface Result {
  readonly value: unknown
  readonly isError: boolean
}

function resultIn(part: ReceivedPart): Result | undefined {
  if (part.state === 'output-error') return { value: part.errorText, isError: true }
  if (part.state !== 'output-available' || part.preliminary) return undefined
  return { value: part.output, isError: false }
}
