import type { AgentState, ToolCallStatus, ToolCallView } from '@offthread/core'

/** How many calls run side by side. */
export const callsAtOnce: number = Math.max(8, globalThis.navigator?.hardwareConcurrency ?? 8)

/** The status of a call for people: one that waits for its worker only, and not for other calls, is starting. */
export function shownStatus(
  { active }: Pick<AgentState['toolCalls'], 'active'>,
  { status, toolCallId }: Pick<ToolCallView, 'status' | 'toolCallId'>,
): ToolCallStatus {
  if (status !== 'queued') return status
  const accepted = active.filter(
    (call) => call.status !== 'input_streaming' && call.status !== 'awaiting_approval',
  )
  return accepted.findIndex((call) => call.toolCallId === toolCallId) < callsAtOnce
    ? 'starting'
    : 'queued'
}
