import { noUsage, type StopReason } from './message.ts'
import type { Answer, MessageNode } from './state.ts'

/** Answers that were paused, stopped or cut off: a request to go on is appended where a provider needs one. */
const unfinished: readonly (StopReason | undefined)[] = [
  ...(['pause_turn', 'aborted', 'max_tokens', 'context_overflow'] as const),
]

/** Whether the conversation ends with a message that the model has not answered yet, or with half an answer. */
export function needsAnswer(head: MessageNode | null): boolean {
  const node = lastIncluded(head)
  if (!node) return false
  const { message } = node
  return (
    message.role !== 'assistant' || unfinished.includes(message.stopReason) || node.calls.length > 0
  )
}

/** The complete answer that the conversation ends with; `null` if it ends with anything else. */
export function answerAt(head: MessageNode | null): Answer | null {
  const message = lastIncluded(head)?.message
  if (message?.role !== 'assistant' || needsAnswer(head)) return null
  return answerOf(message.id, message.stopReason)
}

/** An answer from before the run, without usage, because the run does not pay for it. */
export function answerOf(
  messageId: string,
  stopReason: StopReason | undefined,
  toolCallIds: readonly string[] = [],
): Answer {
  return {
    messageId,
    stopReason,
    toolCallIds,
    usage: noUsage,
    isEmpty: false,
    wasSeen: true,
    terminate: false,
  }
}

/** The last message that people read as such: what a tool returned is on its card. */
export function lastShownIn(head: MessageNode | null): string | null {
  let node = head
  while (node?.message.role === 'toolResult') node = node.parent
  return node?.message.id ?? null
}

function lastIncluded(head: MessageNode | null): MessageNode | null {
  let node = head
  while (node?.excluded) node = node.parent
  return node
}
