import { atLeast, oneOf } from '../internal/check-value.ts'
import { defined } from '../internal/defined.ts'
import type { Draft } from '../kernel/draft.ts'
import type { QueuedInput } from '../kernel/events.ts'
import { findNode } from '../kernel/fold-history.ts'
import { carriedOutput } from '../kernel/output.ts'
import type { OutputRequest } from '../kernel/output-request.ts'
import { cancelledByMove, startOf } from '../kernel/outside-run.ts'
import { hasUnfinished, lastQuestion, unanswered } from '../kernel/possible.ts'
import type { State } from '../kernel/state.ts'
import { hasEnded } from '../kernel/tool-call.ts'
import type { Runtime } from '../runtime/runtime.ts'
import { toParts } from '../tools/content.ts'
import type { QueuedItem } from './handle.ts'
import { optionsOf } from './options-of.ts'
import type { RunningAgent } from './ports.ts'
import type { PromptWish } from './session/wish.ts'
import { AgentBusyError, AgentUsageError } from './usage-errors.ts'

/** The start of a run that goes on with what is there. */
export function continueStart({ runtime, settings }: RunningAgent, output?: OutputRequest): Draft {
  const state = runtime.state()
  const { kernel } = settings()
  const missing = unanswered(state)
  if (missing.length > 0) {
    throw new AgentUsageError(
      'unanswered_calls',
      `Cannot continue: ${missing.join(', ')} has no answer yet. Use addToolResult() or respondToApproval() first, or prompt() to give the calls up.`,
    )
  }
  if (!hasUnfinished(state)) {
    throw new AgentUsageError(
      'nothing_to_continue',
      'There is nothing to continue. Use prompt() or regenerate().',
    )
  }
  return startOf(
    'continue',
    kernel,
    defined({ output: output ?? carriedOutput(state, 'continue') }),
  )
}

/** The start of a run that answers a prompt, said after the last message or after another one. */
export function promptStart(
  { runtime, settings }: RunningAgent,
  { input, after, output }: PromptWish,
): readonly Draft[] {
  const start = startOf('prompt', settings().kernel, { input, ...defined({ output }) })
  return after === undefined ? [start] : [...moveDrafts(runtime, after), start]
}

/** Goes back to the last question and starts a run that answers it again: both at once, or neither. */
export function regenerateFrom(
  { runtime, settings }: RunningAgent,
  given?: OutputRequest,
): readonly Draft[] {
  const state = runtime.state()
  const question = lastQuestion(state)
  const output = given ?? carriedOutput(state, 'regenerate')
  if (!question) {
    throw new AgentUsageError(
      'nothing_to_continue',
      'There is nothing to regenerate. Use prompt().',
    )
  }
  const start = startOf('regenerate', settings().kernel, defined({ output }))
  return [...moveDrafts(runtime, question.message.id), start]
}

/** Makes another message the last one. Calls that are open there are cancelled first. */
export function moveTo({ runtime }: RunningAgent, messageId: string | null): void {
  runtime.write(...moveDrafts(runtime, messageId))
}

/**
 * The facts that make another message the last one: the ends of open calls, then the move. None if it is the last one
 * already.
 */
export function moveDrafts(runtime: Runtime, messageId: string | null): readonly Draft[] {
  if (messageId !== null && !findNode(runtime.state(), messageId)) {
    throw new AgentUsageError(
      'unknown_message',
      `There is no message ${String(messageId)}. Use the id of a message as it is.`,
    )
  }
  const hadCalls = cancelOpenCalls(runtime)
  const { head } = runtime.state()
  const isThere = !hadCalls && (head?.message.id ?? null) === messageId
  return isThere ? [] : [{ type: 'head_moved', messageId }]
}

/** Ends the calls that are open. Says whether there were any; throws if a listener starts a run meanwhile. */
function cancelOpenCalls(runtime: Runtime): boolean {
  const open = runtime.state().batch?.calls.filter((call) => !hasEnded(call)) ?? []
  if (open.length === 0) return false
  const cancels = open.map(
    ({ toolCallId }): Draft => ({ type: 'tool_cancel_requested', toolCallId, by: cancelledByMove }),
  )
  runtime.write(...cancels)
  if (!runtime.state().run) return true
  throw new AgentBusyError('A run was started meanwhile. Wait for it.')
}

/** The name of a queued message, as it is given. Throws a `TypeError` for what names none. */
export function itemOf(given: QueuedItem): QueuedItem {
  const { queue, index, content, to } = optionsOf(given)
  return {
    queue: oneOf('queue', ['steering', 'followUp'], queue),
    index: atLeast('index', 0, index),
    content: toParts(content),
    to: to && oneOf('to', ['steering'], to),
  }
}

/** The queues after one input was taken out of its queue, or moved to another; nothing if it does not wait any more. */
export function withoutQueued(
  { queues }: State,
  { queue, index, content, to }: QueuedItem,
): readonly Draft[] {
  const text = JSON.stringify(content)
  // Messages before the input may have been delivered meanwhile, so its place is at most this one.
  const isMeant = (input: QueuedInput, at: number) => at <= index && JSON.stringify(input) === text
  const at = queues[queue].findLastIndex(isMeant)
  if (at < 0) return []
  const left = { ...queues, [queue]: queues[queue].toSpliced(at, 1) }
  const moved = to && { [to]: [...left[to], content] }
  return [{ type: 'queue_update', ...left, ...moved, by: 'user' }]
}
