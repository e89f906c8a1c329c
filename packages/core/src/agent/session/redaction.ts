import type { EventOf } from '../../kernel/events.ts'
import {
  type RedactionProblem,
  type RedactionTarget,
  redactionOf,
} from '../../kernel/redaction-target.ts'
import type { State } from '../../kernel/state.ts'
import { AgentBusyError, AgentUsageError } from '../usage-errors.ts'

/** When something was removed, and by which command. */
export interface RedactionOrigin {
  readonly ts: number
  /** The id of the wish (a follower's command) that asked for it. */
  readonly wishId?: string
}

type Redacted = EventOf<'message_redacted'>

/** The event of a redaction, which holds no content. */
export function redactionEvent(
  { sessionId, nextSeq: seq }: State,
  what: Pick<Redacted, 'messageId' | 'artifactIds'>,
  origin: RedactionOrigin,
): Redacted {
  const place = { v: 1, seq, sessionId, runId: null, turn: 0, ...origin } as const
  return { ...place, type: 'message_redacted', ...what, by: 'user' }
}

/** What a redaction of a message removes. Throws what a command throws if it cannot be done now. */
export function targetIn(state: State, messageId: string): RedactionTarget {
  const found = redactionOf(state, messageId)
  if (typeof found === 'object') return found
  throw refusal(found, messageId)
}

function refusal(problem: RedactionProblem, messageId: string): Error {
  switch (problem) {
    case 'run':
      return new AgentBusyError(
        'Cannot redact while a run is active. Wait for it, or abort() it first.',
      )
    case 'open':
      return new AgentUsageError(
        'unanswered_calls',
        `Cannot redact ${messageId}: a call of it has no answer yet. Use addToolResult() or respondToApproval() first, or moveHead() to give it up.`,
      )
    case 'unknown':
      return new AgentUsageError(
        'unknown_message',
        `There is no message ${String(messageId)} in this session. Use the id of a message as it is.`,
      )
  }
}
