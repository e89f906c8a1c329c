import { defined } from '../internal/defined.ts'
import type { EventOf } from './events.ts'
import { carriedAnswer, withStep } from './fold-run.ts'
import { type Batch, type MessageNode, type Run, type State, withCall } from './state.ts'
import { type EndedToolCall, hasEnded, retriedCall } from './tool-call.ts'

/**
 * The state after a person asked to run a call once more. The batch of the call is open, or its answer is the head and
 * becomes the start of another branch. A call that was cut off does not change: it runs again anyway.
 */
export function foldRetry(state: State, event: EventOf<'tool_retry_requested'>): State {
  const { head, run } = state
  if (state.batch) {
    const batch = batchWith(state.batch, state, event)
    return batch === state.batch ? state : { ...state, batch }
  }
  const last = head && run && batchOf(head, run)
  if (!last || run.step.kind !== 'between_turns') return state
  const batch = batchWith(last, state, event)
  if (batch === last) return state
  return {
    ...state,
    batch,
    // The branch that is left behind keeps its calls as they ended.
    head: { ...head, calls: [], seq: event.seq },
    run: withStep(run, { kind: 'between_turns', last: carriedAnswer(batch) }),
  }
}

/** The calls of an answer as they ended, as if their results were still to be written. */
function batchOf({ message, calls }: MessageNode, { toolExecution }: Run): Batch | null {
  if (message.role !== 'assistant') return null
  const { id: messageId, stopReason } = message
  return { messageId, stopReason, toolExecution, calls, toolMessages: null, delivered: 0 }
}

function batchWith(
  batch: Batch,
  state: State,
  { toolCallId, args, seq }: EventOf<'tool_retry_requested'>,
): Batch {
  return withCall(batch, toolCallId, (call) => {
    if (!hasEnded(call) || batch.toolMessages) return call
    return retriedCall(call, { attempts: attemptsOf(state, call), seq, ...defined({ args }) })
  })
}

/** How often a call was dispatched. It may have been retried on other branches, too. */
function attemptsOf({ head, tips }: State, { toolCallId, messageId, attempt }: EndedToolCall) {
  let most = attempt
  for (const tip of [head, ...tips]) {
    let node = tip
    while (node && node.message.id !== messageId) node = node.parent
    for (const call of node?.calls ?? []) {
      if (call.toolCallId === toolCallId) most = Math.max(most, call.attempt)
    }
  }
  return most
}
