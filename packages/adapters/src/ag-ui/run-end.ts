import type { EventOf } from '@offthread/core'
import type { AgUiFact, AgUiOutcome } from './ag-ui-types.ts'

/** What the events before the end of a run said about it. */
export interface RunKnown {
  readonly model: { readonly provider: string; readonly id: string }
  /** Why the prompt was refused. */
  readonly rejected: string | null
  /** The calls that wait for a person, with the digests of what is asked. */
  readonly asked: ReadonlyMap<string, string>
  /** The calls without a result. */
  readonly pending: readonly string[]
}

/** The last event of a run. */
export function runEnd(event: EventOf<'agent_end'>, known: RunKnown): AgUiFact {
  const { reason, error, usage, sessionId: threadId, runId } = event
  if (reason === 'error' || reason === 'refusal' || reason === 'rejected') {
    const message = error?.message ?? known.rejected ?? 'The run failed.'
    return { type: 'RUN_ERROR', message, code: error?.kind ?? reason }
  }
  const { provider, id: model } = known.model
  const { inputTokens, outputTokens } = usage
  const tokens = { provider, model, inputTokens, outputTokens }
  return {
    type: 'RUN_FINISHED',
    threadId,
    runId: runId ?? '',
    outcome: outcomeOf(event, known),
    result: { reason },
    usage: [inputTokens, outputTokens].every(Number.isSafeInteger) ? [tokens] : [],
  }
}

function outcomeOf({ reason }: EventOf<'agent_end'>, { asked, pending }: RunKnown): AgUiOutcome {
  if (reason === 'aborted' || reason === 'interrupted') return { type: 'cancelled' }
  if (reason === 'awaiting_approval' && asked.size > 0) {
    const interrupts = [...asked].map(([toolCallId, id]) => ({
      id,
      reason: 'tool_approval_requested',
      toolCallId,
    }))
    return { type: 'interrupt', interrupts }
  }
  const isWaiting = reason === 'awaiting_tool_results' || reason === 'awaiting_approval'
  return { type: 'success', ...(isWaiting && { pendingToolCallIds: pending }) }
}
