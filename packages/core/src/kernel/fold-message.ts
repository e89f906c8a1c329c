import { defined } from '../internal/defined.ts'
import type { EventOf } from './events.ts'
import { foldDelta, withContent } from './fold-delta.ts'
import { countUsage, withRun, withStep } from './fold-run.ts'
import { lengthOf } from './length.ts'
import {
  type AssistantMessage,
  callsOf,
  type Message,
  noUsage,
  type ToolCallContent,
  type ToolResultMessage,
  textOf,
  type UserMessage,
} from './message.ts'
import { withTwins } from './repeats.ts'
import type { Answer, Batch, Run, State } from './state.ts'
import { withoutFirst } from './steering.ts'
import { announcedCall } from './tool-call.ts'

type MessageEvent = EventOf<
  'message_start' | 'message_update' | 'message_checkpoint' | 'message_end'
>

/** The state after an event about a message. */
export function foldMessage(state: State, event: MessageEvent): State {
  switch (event.type) {
    case 'message_start':
      return startMessage(state, event.message)
    case 'message_update':
      return foldDelta(state, event)
    case 'message_checkpoint':
      return withContent(state, event.messageId, () => event.content)
    case 'message_end':
      return endMessage(state, event)
  }
}

function startMessage(state: State, message: Message): State {
  if (message.role !== 'assistant') return { ...state, openMessage: message }
  return withRun(state, (run) => withStep(run, { kind: 'asking', message }))
}

function endMessage(state: State, event: EventOf<'message_end'>): State {
  const { message } = event
  if (!isOpen(state, message)) return state
  const { head: parent } = state
  const excluded = event.excluded === true
  const depth = parent ? parent.depth + 1 : 0
  const chars = (parent?.chars ?? 0) + (excluded ? 0 : lengthOf(message))
  const head = { message, calls: [], excluded, depth, seq: event.seq, chars, parent }
  const added = { ...state, head, openMessage: null }
  switch (message.role) {
    case 'user':
      return deliverInput(added, message)
    case 'assistant':
      return commitAnswer(added, event, message)
    case 'toolResult':
      return { ...added, batch: deliverResult(state.batch, message) }
    case 'system':
      return added
  }
}

// A late, repeated or foreign end changes nothing.
function isOpen({ openMessage, run }: State, message: Message): boolean {
  if (message.role !== 'assistant') return openMessage?.id === message.id
  return run?.step.kind === 'asking' && run.step.message.id === message.id
}

// One event writes a message and takes it out of its queue, so that it is neither lost nor delivered twice.
function deliverInput(state: State, { source = 'prompt' }: UserMessage): State {
  if (source === 'prompt')
    return withRun(state, (run) => ({ ...run, pending: run.pending.slice(1) }))
  if (source === 'repair') return withRun(state, (run) => ({ ...run, repairs: run.repairs + 1 }))
  const delivered = { ...state, queues: withoutFirst(state.queues, source) }
  if (source === 'steering') return delivered
  return withRun(delivered, (run) => ({ ...run, countedTurns: 1 }))
}

function commitAnswer(
  state: State,
  event: EventOf<'message_end'>,
  message: AssistantMessage,
): State {
  const calls = event.excluded ? [] : distinct(callsOf(message.content))
  const answer: Answer = {
    messageId: message.id,
    stopReason: message.stopReason,
    toolCallIds: calls.map((call) => call.toolCallId),
    usage: message.usage ?? noUsage,
    isEmpty: calls.length === 0 && textOf(message.content).trim() === '',
    wasSeen: message.content.length > 0,
    terminate: false,
    ...defined({ error: event.error }),
  }
  const { run } = state
  if (!run) return state
  const batch = calls.length === 0 ? null : batchOf(message, calls, run)
  return { ...state, batch, run: withStep(countUsage(run, answer), { kind: 'answered', answer }) }
}

function batchOf(message: AssistantMessage, calls: readonly ToolCallContent[], run: Run): Batch {
  return {
    messageId: message.id,
    stopReason: message.stopReason,
    toolExecution: run.toolExecution,
    calls: withTwins(calls.map((call) => announcedCall(call, message.id))),
    toolMessages: null,
    delivered: 0,
  }
}

// A forged log may use an id twice, and two calls with one id would wait for each other for ever.
function distinct(calls: readonly ToolCallContent[]): readonly ToolCallContent[] {
  const ids = new Set<string>()
  return calls.filter(({ toolCallId }) => !ids.has(toolCallId) && ids.add(toolCallId))
}

function deliverResult(batch: Batch | null, message: ToolResultMessage): Batch | null {
  const { toolMessages } = batch ?? {}
  if (!batch || toolMessages?.[batch.delivered]?.toolCallId !== message.toolCallId) return batch
  const delivered = batch.delivered + 1
  return delivered === toolMessages.length ? null : { ...batch, delivered }
}
