import type { DurableEvent } from '../../kernel/events.ts'
import type { RunEndReason } from '../../kernel/run-end-reason.ts'
import type { SessionDescription } from '../port.ts'
import type { SessionStatus } from '../session-status.ts'
import { topicOf } from '../title.ts'

/** What lists show of a session after its last events, as far as these say it. A topic that is known stays. */
export function describedBy(
  events: readonly DurableEvent[],
  known: string | undefined,
): SessionDescription {
  let topic = known
  let status: SessionStatus | undefined
  for (const event of events) {
    if (event.agentId !== undefined) continue
    if (event.type === 'message_end' && event.message.role === 'user')
      topic ??= topicOf(event.message)
    if (event.type === 'agent_start') status = 'running'
    if (event.type === 'agent_end') status = statusAfter(event.reason)
  }
  return { ...(topic !== undefined && { topic }), ...(status && { status }) }
}

function statusAfter(reason: RunEndReason): SessionStatus {
  switch (reason) {
    case 'error':
      return reason
    case 'awaiting_approval':
    case 'awaiting_tool_results':
      return 'waiting'
    default:
      return 'idle'
  }
}
