import {
  type RedactionProblem,
  type RedactionTarget,
  redactionOf,
} from '../../kernel/redaction-target.ts'
import type { State } from '../../kernel/state.ts'
import { AgentBusyError, AgentUsageError } from '../usage-errors.ts'

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
        `There is no message ${messageId} in this session. Use the id of a message as it is.`,
      )
  }
}
