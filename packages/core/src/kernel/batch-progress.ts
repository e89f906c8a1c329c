import type { Batch } from './state.ts'
import { hasEnded, type ToolCall } from './tool-call.ts'

/** How far the calls of an answer are. */
interface BatchProgress {
  readonly hasUnstarted: boolean
  readonly haveAllEnded: boolean
  /** The call that is checked, one at a time: those that are retried come last, so that no check is broken off for them. */
  readonly firstUnchecked: ToolCall | null
}

/** One walk, because there may be a thousand calls and several decisions for each. */
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

/** Whether it is still to be seen if the call may run. */
export function isUnchecked({ stage, staged }: ToolCall): boolean {
  return stage.kind === 'accepted' && !staged
}

function askedAt({ retry }: ToolCall): number {
  return retry ? retry.seq : -1
}
