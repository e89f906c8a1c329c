import { haltOf } from './halt.ts'
import type { BatchSituation } from './situation.ts'
import type { ToolCall } from './tool-call.ts'
import { hasEnded, isAnswered, isResolved, isWaiting, isWaitingForApproval } from './tool-call.ts'

export type Waiting = 'awaiting_approval' | 'awaiting_tool_results'

/** Why the run pauses with calls still open: each waits for an approval or for the page. `null` if it need not pause. */
export function waitingFor(situation: BatchSituation): Waiting | null {
  const { state, run, batch, config } = situation
  const halt = run && haltOf(state, run)
  if (halt === 'aborted') return null
  const isLost = halt === 'interrupted'
  if (isLost && !config.mayPauseForPeople) return null
  if (isForPeople(situation)) {
    // In manual mode the page answers every call before any of them starts.
    return batch.calls.every(needsNoAnswer) && !isLost ? null : 'awaiting_tool_results'
  }
  const started = batch.calls.filter(
    ({ stage }) => stage.kind !== 'streaming' && stage.kind !== 'ended',
  )
  if (started.length === 0) return null
  if (!started.every((call) => isWaiting(call) || (isLost && isAnswered(call)))) return null
  if (started.some((call) => isWaitingForApproval(call) || isResolved(call)))
    return config.approvalMode === 'pause' || isLost ? 'awaiting_approval' : null
  // A call that the page answers holds up no other, so the unstarted ones start before the run pauses.
  const hasMoreToStart = batch.calls.some(({ stage }) => stage.kind === 'streaming')
  return hasMoreToStart ? null : 'awaiting_tool_results'
}

function isForPeople({ batch, config }: BatchSituation): boolean {
  const { calls, stopReason } = batch
  const isUntouched = calls.every(({ stage }) => stage.kind === 'streaming')
  return config.toolMode === 'manual' && isUntouched && stopReason === 'tool_use'
}

function needsNoAnswer(call: ToolCall): boolean {
  return hasEnded(call) || call.staged !== undefined || call.cancelledBy !== undefined
}
