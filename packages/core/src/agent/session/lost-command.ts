import type { DurableEvent } from '../../kernel/events.ts'
import { notStored } from '../../runtime/journal.ts'
import type { Shown } from '../../store/agent-state.ts'
import type { Wish } from './wish.ts'

/** The last command of a person of which these events come, as one that was refused. `null`: none does. */
export function lostCommand(events: readonly DurableEvent[]): Shown['refused'] {
  const command = events.flatMap((event) => commandOf(event) ?? []).at(-1)
  return command === undefined ? null : { command, message: notStored }
}

function commandOf(event: DurableEvent): Wish['command'] | null {
  // One of another agent is asked again there.
  if (event.wishId !== undefined) return null
  switch (event.type) {
    case 'agent_start':
      return event.trigger === 'resume' ? null : event.trigger
    case 'queue_update':
      return event.steering.length + event.followUp.length > 0 ? 'steer' : null
    case 'abort_requested':
      return event.by === 'user' ? 'abort' : null
    case 'tool_cancel_requested':
      return event.by === 'user' ? 'cancelTool' : null
    case 'tool_retry_requested':
      return 'retryTool'
    case 'tool_approval_resolved':
      return 'respondToApproval'
    case 'head_moved':
      return 'moveHead'
    default:
      // An answer to a call rejects by itself, and what an agent does of its own is done again.
      return null
  }
}
