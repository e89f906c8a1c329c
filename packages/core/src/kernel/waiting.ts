import { haltOf } from './halt.ts'
import type { KernelConfig } from './kernel-config.ts'
import type { BatchSituation } from './situation.ts'
import type { Batch } from './state.ts'
import {
  hasEnded,
  isAnswered,
  isDispatched,
  isResolved,
  isWaiting,
  isWaitingForApproval,
  type ToolCall,
} from './tool-call.ts'

export type Waiting = 'awaiting_approval' | 'awaiting_tool_results' | 'interrupted'

/**
 * Why the run ends with calls still open: each waits for an approval or for the page, or was cut off with its page and
 * may go on in a later run. `null` if the run does not end so.
 */
export function waitingFor({ state, run, batch, config }: BatchSituation): Waiting | null {
  const halt = run && haltOf(state, run)
  if (halt) return halt === 'aborted' ? null : waitingAfterCut(batch, config)
  let waitsForApproval = false
  let waits = false
  for (const call of batch.calls) {
    const { kind } = call.stage
    if (kind === 'streaming' || kind === 'ended') continue
    if (!isWaiting(call)) return null
    waits = true
    waitsForApproval ||= isWaitingForApproval(call)
  }
  if (!waits) return null
  if (waitsForApproval) return config.approvalMode === 'pause' ? 'awaiting_approval' : null
  // A call that the page answers holds up no other, so the unstarted ones start before the run pauses.
  const hasMoreToStart = batch.calls.some(({ stage }) => stage.kind === 'streaming')
  return hasMoreToStart ? null : 'awaiting_tool_results'
}

function waitingAfterCut({ calls }: Batch, config: KernelConfig): Waiting | null {
  if (!config.mayPauseForPeople) return null
  const open = calls.filter((call) => !hasEnded(call))
  const started = open.filter(({ stage }) => stage.kind !== 'streaming')
  const isKept = open.some((call) => mayOutlive(call, config))
  if (started.length > 0 && started.every((call) => isWaiting(call) || isAnswered(call))) {
    if (started.some((call) => isWaitingForApproval(call) || isResolved(call)))
      return 'awaiting_approval'
    if (isKept || open.length === started.length) return 'awaiting_tool_results'
  }
  const isRest = started.every((call) => mayOutlive(call, config) || isAnswered(call))
  return isKept && isRest ? 'interrupted' : null
}

/** Whether a call may stay open when its page is gone: it waits for a person, or its tool lets it go on. */
export function mayOutlive(call: ToolCall, { tools, mayPauseForPeople }: KernelConfig): boolean {
  if (!mayPauseForPeople || hasEnded(call) || isDispatched(call)) return false
  const isResumable = tools.get(call.toolName)?.resumable && call.cancelledBy === undefined
  return isResumable || isWaiting(call)
}
