import { hasMoreToDo } from './next-turn.ts'
import type { MessageNode, State } from './state.ts'
import { isWaiting } from './tool-call.ts'

/** The open calls that only an answer from outside can close. */
export function unanswered({ batch }: State): readonly string[] {
  return (batch?.calls ?? []).filter(isWaiting).map((call) => call.toolCallId)
}

/** Whether a run could continue without a new prompt, once every call is answered. */
export function hasUnfinished(state: State): boolean {
  return state.batch !== null || hasMoreToDo(state)
}

/** What the model was asked last, on the current branch. */
export function lastQuestion({ head }: State): MessageNode | null {
  let node = head
  while (node && !isQuestion(node)) node = node.parent
  return node
}

function isQuestion({ message, excluded }: MessageNode): boolean {
  return !excluded && message.role === 'user' && message.source !== 'repair'
}
