import { type MessageNode, openCall, type State } from './state.ts'
import { type EndedToolCall, hasEnded, isInterrupted, type ToolCall } from './tool-call.ts'

/** How a person can have a call run once more now, or why not. */
export type Retry =
  | {
      readonly call: ToolCall
      /** The answer to go back to; `null`: the answer is open, and the new result takes the place of the old one. */
      readonly from: string | null
      readonly refusal?: undefined
    }
  | { readonly refusal: RetryRefusal }

/**
 * Why not: the call is not on this branch; it has not ended; its answer was cut off; the run has gone on without it, or
 * is to stop.
 */
export type RetryRefusal = 'unknown' | 'open' | 'cut_off' | 'busy'

export function retryOf(state: State, toolCallId: string): Retry {
  const { run, batch, head } = state
  const open = batch?.toolMessages ? undefined : openCall(state, toolCallId)
  const call = open ?? endedCall(head, toolCallId)
  if (!call) return { refusal: 'unknown' }
  // A call that was cut off with its page can only be retried while no run is active: a run retries it by itself.
  if (!hasEnded(call))
    return isInterrupted(call) && !run ? { call, from: null } : { refusal: 'open' }
  if (call.stage.errorKind === 'truncated_call') return { refusal: 'cut_off' }
  if (open) return run?.abort ? { refusal: 'busy' } : { call, from: null }
  return run ? { refusal: 'busy' } : { call, from: call.messageId }
}

function endedCall(head: MessageNode | null, toolCallId: string): EndedToolCall | undefined {
  for (let node = head; node; node = node.parent) {
    const call = node.calls.find((one) => one.toolCallId === toolCallId)
    if (call && hasEnded(call)) return call
  }
  return undefined
}
