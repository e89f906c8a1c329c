import type { DurableEvent } from '../../kernel/events.ts'
import { type Journal, notStored } from '../../runtime/journal.ts'
import type { StorageError } from '../../storage/port.ts'
import type { SessionPorts } from './ports.ts'
import type { Wish } from './wish.ts'

/**
 * Drops the events that are not stored, because another agent writes the session now. The last command of a person
 * among them is shown as refused; if the session has diverged, with the session in which the rest is kept.
 */
export function abandon(
  { show }: Pick<SessionPorts, 'show'>,
  journal: Pick<Journal, 'abandon' | 'unstored'>,
  divergence?: StorageError,
): void {
  journal.abandon()
  const command = journal
    .unstored()
    .flatMap((event) => commandOf(event) ?? [])
    .at(-1)
  const keptAs = divergence?.keptAs
  if (divergence && keptAs !== undefined) {
    show({ refused: { command: command ?? 'catch_up', message: divergence.message, keptAs } })
  } else if (command !== undefined) show({ refused: { command, message: notStored } })
}

function commandOf(event: DurableEvent): Wish['command'] | null {
  // A follower repeats its own command.
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
      // The promise of an answer to a call rejects by itself, and the next owner repeats what this agent did on its
      // own.
      return null
  }
}
