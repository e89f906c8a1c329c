import { findNode } from './fold-history.ts'
import { callsOf } from './message.ts'
import type { State } from './state.ts'

/** A message whose content is to be removed, with the calls that go with it. */
export interface RedactionTarget {
  /** The id of the message, or for a prompt that never became one, the id of its run. */
  readonly messageId: string
  readonly isPrompt: boolean
  /** All calls of an answer, or the call of a result; empty for a message of a person. */
  readonly callIds: readonly string[]
  readonly isRedacted: boolean
}

/** Why nothing can be removed: a run is active, the message is not there, or a call of it is still open. */
export type RedactionProblem = 'run' | 'unknown' | 'open'

/** What a redaction of this message removes, or why it cannot be done now. */
export function redactionOf(state: State, messageId: string): RedactionTarget | RedactionProblem {
  if (state.run) return 'run'
  const message = findNode(state, messageId)?.message
  if (!message) return hasUnsaidPrompt(state, messageId) ? promptOf(messageId) : 'unknown'
  const isRedacted = message.redacted === true
  const callIds =
    message.role === 'assistant'
      ? callsOf(message.content).map(({ toolCallId }) => toolCallId)
      : message.role === 'toolResult'
        ? [message.toolCallId]
        : []
  // An open call still needs its arguments, for a person or for its tool.
  if (state.batch?.calls.some(({ toolCallId }) => callIds.includes(toolCallId))) return 'open'
  return { messageId, callIds, isRedacted, isPrompt: false }
}

/** Whether this run had no turn: its prompt was refused, or the run was stopped while hooks looked at it. */
function hasUnsaidPrompt({ lastRun }: State, runId: string): boolean {
  let run = lastRun
  while (run && run.runId !== runId) run = run.previous
  return run?.turns === 0
}

function promptOf(runId: string): RedactionTarget {
  return { messageId: runId, callIds: [], isRedacted: false, isPrompt: true }
}
