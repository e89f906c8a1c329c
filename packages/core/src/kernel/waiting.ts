import { haltOf } from './halt.ts'
import type { BatchSituation } from './situation.ts'
import type { Batch } from './state.ts'
import type { ToolCall } from './tool-call.ts'
import { hasEnded, isWaiting, isWaitingForApproval } from './tool-call.ts'

export type Waiting = 'awaiting_approval' | 'awaiting_tool_results'

/** For what a run ends with its calls open: only somebody outside can bring them on. `null` while anything else goes on. */
export function waitingFor(situation: BatchSituation): Waiting | null {
  const { state, run, batch, config } = situation
  const halt = run && haltOf(state, run)
  if (halt === 'aborted') return null
  const isLost = halt === 'interrupted'
  if (isLost && !config.mayPauseForPeople) return null
  if (isForPeople(situation)) {
    // In manual mode everything is answered from outside, before anything of it starts.
    return batch.calls.every(isAnswered) && !isLost ? null : 'awaiting_tool_results'
  }
  const started = batch.calls.filter(
    ({ stage }) => stage.kind !== 'streaming' && stage.kind !== 'ended',
  )
  if (started.length === 0) return null
  if (!started.every((call) => isWaiting(call) || (isLost && isAnsweredLate(call)))) return null
  if (started.some(isHeld))
    return config.approvalMode === 'pause' || isLost ? 'awaiting_approval' : null
  return hasMoreToStart(batch) ? null : 'awaiting_tool_results'
}

function isForPeople({ batch, config }: BatchSituation): boolean {
  const { calls, stopReason } = batch
  const isUntouched = calls.every(({ stage }) => stage.kind === 'streaming')
  return config.toolMode === 'manual' && isUntouched && stopReason === 'tool_use'
}

function isAnswered(call: ToolCall): boolean {
  return hasEnded(call) || call.staged !== undefined || call.cancelledBy !== undefined
}

// The answer came, and the page went away before anything was made of it.
function isAnsweredLate({ stage, staged }: ToolCall): boolean {
  const { kind } = stage
  return staged !== undefined || kind === 'approved' || kind === 'edited' || kind === 'denied'
}

function isHeld(call: ToolCall): boolean {
  const { kind } = call.stage
  return isWaitingForApproval(call) || kind === 'approved' || kind === 'edited' || kind === 'denied'
}

// A call that is answered by people holds up no other: what comes after it starts first.
function hasMoreToStart({ calls }: Batch): boolean {
  return calls.some(({ stage }) => stage.kind === 'streaming')
}
