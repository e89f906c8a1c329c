import { defined } from '../internal/defined.ts'
import type { AgentEndDraft, Draft } from './draft.ts'
import type { RunEndReason } from './run-end-reason.ts'
import type { RunError } from './run-error.ts'
import type { Answer, Run } from './state.ts'

/** The end of a turn with its answer; `null` for a turn that ended without one. */
export function endOfTurn({ turnUsage }: Run, answer: Answer | null): Draft {
  if (!answer) return { type: 'turn_end', toolCallIds: [], usage: turnUsage }
  const { messageId, toolCallIds, stopReason } = answer
  return { type: 'turn_end', messageId, toolCallIds, usage: turnUsage, ...defined({ stopReason }) }
}

/** The end of a run, and why. */
export function endOfRun(run: Run, reason: RunEndReason, error?: RunError): AgentEndDraft {
  const { turns, usage } = run
  return {
    type: 'agent_end',
    reason,
    maxTurnsReached: reason === 'max_turns',
    turns,
    usage,
    ...defined({ error: error ?? (reason === 'aborted' ? deadlineError(run) : undefined) }),
  }
}

/** `by` of the abort that ends a run after `deadlineMs`. */
export const deadline = 'deadline'

function deadlineError({ abort }: Run): RunError | undefined {
  if (abort?.by !== deadline) return undefined
  const message = 'The run took longer than its deadlineMs and was stopped.'
  return { kind: 'timeout', message, retryable: false }
}
