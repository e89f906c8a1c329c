import type { Batch } from './state.ts'
import { hasEnded, type ToolCall } from './tool-call.ts'

/** How far the calls of an answer are. */
interface BatchProgress {
  readonly hasUnstarted: boolean
  readonly haveAllEnded: boolean
  /** The call to check now. Calls are checked one at a time, retried ones last, so that a retry interrupts no check. */
  readonly firstUnchecked: ToolCall | null
}

/** All in one walk, because there may be a thousand calls, and several decisions for each. */
export function progressOf({ calls }: Batch): BatchProgress {
  let hasUnstarted = false
  let haveAllEnded = true
  let firstUnchecked: ToolCall | null = null
  for (const call of calls) {
    if (hasEnded(call)) continue
    haveAllEnded = false
    if (call.stage.kind === 'streaming') hasUnstarted = true
    if (!isUnchecked(call)) continue
    if (!firstUnchecked || askedAt(call) < askedAt(firstUnchecked)) firstUnchecked = call
  }
  return { hasUnstarted, haveAllEnded, firstUnchecked }
}

/** Whether the check that decides if the call may run is still to be done. */
export function isUnchecked({ stage, staged }: ToolCall): boolean {
  return stage.kind === 'accepted' && !staged
}

function askedAt({ retry }: ToolCall): number {
  return retry ? retry.seq : -1
}
