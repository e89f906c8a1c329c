import type { AgentState, ToolCallStatus, ToolCallView } from '@offthread/core'

/** How many calls run side by side. */
export const callsAtOnce: number = Math.max(8, globalThis.navigator?.hardwareConcurrency ?? 8)

/** The status of a call for people: one that waits for its worker only, and not for other calls, is starting. */
export function shownStatus(
  { active }: Pick<AgentState['toolCalls'], 'active'>,
  { status, toolCallId }: Pick<ToolCallView, 'status' | 'toolCallId'>,
): ToolCallStatus {
  if (status !== 'queued') return status
  let before = 0
  // The loop stops as soon as all slots are taken: otherwise each of a thousand calls would look at all others.
  for (const call of active) {
    if (call.toolCallId === toolCallId || before === callsAtOnce) break
    if (call.status !== 'input_streaming' && call.status !== 'awaiting_approval') before += 1
  }
  return before < callsAtOnce ? 'starting' : 'queued'
}
