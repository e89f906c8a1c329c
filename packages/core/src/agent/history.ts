import type { Draft } from '../kernel/draft.ts'
import type { QueuedInput } from '../kernel/events.ts'
import { findNode } from '../kernel/fold-history.ts'
import { hasMoreToDo } from '../kernel/next-turn.ts'
import { cancelledByMove, startOf } from '../kernel/outside-run.ts'
import type { MessageNode, Queues, State } from '../kernel/state.ts'
import { hasEnded, isWaiting } from '../kernel/tool-call.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { AgentParts } from './parts.ts'
import { AgentBusyError, AgentUsageError } from './usage-errors.ts'

/** The start of a run that goes on with what is there. */
export function continueStart({ runtime, settings }: AgentParts): Draft {
  const state = runtime.state()
  const { kernel } = settings()
  const missing = unanswered(state)
  if (missing.length > 0) {
    throw new AgentUsageError(
      'unanswered_calls',
      `Cannot continue: ${missing.join(', ')} has no answer yet. Use addToolResult() or respondToApproval() first, or prompt() to give the calls up.`,
    )
  }
  if (!state.batch && !hasMoreToDo(state)) {
    throw new AgentUsageError(
      'nothing_to_continue',
      'There is nothing to continue: the last message is an answer. Use prompt() or regenerate().',
    )
  }
  return startOf('continue', kernel)
}

function unanswered({ batch }: State): readonly string[] {
  return (batch?.calls ?? []).filter(isWaiting).map((call) => call.toolCallId)
}

/** Goes back to the last question and starts a run that answers it again: both at once, or neither. */
export function regenerateFrom({ runtime, settings }: AgentParts): readonly Draft[] {
  requireQuestion(runtime.state())
  giveUpCalls(runtime)
  // A listener that got their ends may have started a run or moved the head.
  const { messageId, isMove } = requireQuestion(runtime.state())
  const move: readonly Draft[] = isMove ? [{ type: 'head_moved', messageId }] : []
  return [...move, startOf('regenerate', settings().kernel)]
}

function requireQuestion({ head }: State) {
  const question = lastQuestion(head)
  if (question) return { messageId: question.message.id, isMove: question !== head }
  throw new AgentUsageError(
    'nothing_to_continue',
    'There is nothing to regenerate: there is no question yet. Use prompt().',
  )
}

function lastQuestion(head: MessageNode | null): MessageNode | null {
  let node = head
  while (node && (node.excluded || node.message.role !== 'user')) node = node.parent
  return node
}

/** Makes another message the last one. Calls that are open there are given up first. */
export function moveTo({ runtime }: AgentParts, messageId: string | null): void {
  if (messageId !== null && !findNode(runtime.state(), messageId)) {
    throw new AgentUsageError(
      'unknown_message',
      `There is no message ${messageId} in this session. Use the id of a message as it is.`,
    )
  }
  const hadCalls = giveUpCalls(runtime)
  const { head } = runtime.state()
  if (hadCalls || (head?.message.id ?? null) !== messageId) {
    runtime.write({ type: 'head_moved', messageId })
  }
}

/** Ends the calls that are open. Says whether there were any; throws if a listener starts a run meanwhile. */
function giveUpCalls(runtime: Runtime): boolean {
  const open = runtime.state().batch?.calls.filter((call) => !hasEnded(call)) ?? []
  if (open.length === 0) return false
  const cancels = open.map(
    ({ toolCallId }): Draft => ({ type: 'tool_cancel_requested', toolCallId, by: cancelledByMove }),
  )
  runtime.write(...cancels)
  if (!runtime.state().run) return true
  throw new AgentBusyError('A run was started while its calls were closed. Wait for it.')
}

/** A queue with one more input. */
export function queueInput({ queues }: State, queue: keyof Queues, input: QueuedInput): Draft {
  return { type: 'queue_update', ...queues, [queue]: [...queues[queue], input] }
}
