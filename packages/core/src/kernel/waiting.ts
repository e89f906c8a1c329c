import { haltOf } from './halt.ts'
import type { BatchSituation } from './situation.ts'
import { isAnswered, isResolved, isWaiting, isWaitingForApproval } from './tool-call.ts'

export type Waiting = 'awaiting_approval' | 'awaiting_tool_results'

/** Why the run pauses with calls still open: each waits for an approval or for the page. `null` if it need not pause. */
export function waitingFor({ state, run, batch, config }: BatchSituation): Waiting | null {
  const halt = run && haltOf(state, run)
  if (halt === 'aborted') return null
  const isLost = halt === 'interrupted'
  if (isLost && !config.mayPauseForPeople) return null
  let waitsForApproval = false
  let waits = false
  for (const call of batch.calls) {
    const { kind } = call.stage
    if (kind === 'streaming' || kind === 'ended') continue
    if (!isWaiting(call) && !(isLost && isAnswered(call))) return null
    waits = true
    waitsForApproval ||= isWaitingForApproval(call) || isResolved(call)
  }
  if (!waits) return null
  if (waitsForApproval)
    return config.approvalMode === 'pause' || isLost ? 'awaiting_approval' : null
  // A call that the page answers holds up no other, so the unstarted ones start before the run pauses.
  const hasMoreToStart = batch.calls.some(({ stage }) => stage.kind === 'streaming')
  return hasMoreToStart ? null : 'awaiting_tool_results'
}
