import type { EventOf } from './events.ts'
import { foldDelta } from './fold-delta.ts'
import { withRun } from './fold-run.ts'
import type { AssistantMessage, Message, ToolCallContent, ToolResultMessage } from './message.ts'
import { addUsage, callsOf, noUsage, textOf } from './message.ts'
import type { Answer, Batch, State, Step } from './state.ts'
import { announcedCall } from './tool-call.ts'

type MessageEvent = EventOf<
  'message_start' | 'message_update' | 'message_checkpoint' | 'message_end'
>

/** What an event says about a message. */
export function foldMessage(state: State, event: MessageEvent): State {
  switch (event.type) {
    case 'message_start':
      return startMessage(state, event.message)
    case 'message_update':
      return foldDelta(state, event)
    case 'message_checkpoint':
      return withAsking(state, event.messageId, (message) => ({
        ...message,
        content: event.content,
      }))
    case 'message_end':
      return endMessage(state, event)
  }
}

function startMessage(state: State, message: Message): State {
  if (message.role !== 'assistant') return { ...state, openMessage: message }
  return withRun(state, (run) => ({ ...run, step: { kind: 'asking', message } }))
}

function endMessage(state: State, event: EventOf<'message_end'>): State {
  const { message } = event
  if (!isOpen(state, message)) return state
  const excluded = event.excluded === true
  const depth = state.head ? state.head.depth + 1 : 0
  const head = { message, calls: [], excluded, depth, parent: state.head }
  const added = { ...state, head, openMessage: null }
  switch (message.role) {
    case 'user':
      return withRun(added, (run) => ({ ...run, pending: run.pending.slice(1) }))
    case 'assistant':
      return commitAnswer(added, event, message)
    case 'toolResult':
      return { ...added, batch: deliverOne(state.batch, message) }
    case 'system':
      return added
  }
}

// A late, double or foreign end is no news.
function isOpen({ openMessage, run }: State, message: Message): boolean {
  if (message.role !== 'assistant') return openMessage?.id === message.id
  return run?.step.kind === 'asking' && run.step.message.id === message.id
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
    terminate: false,
    ...(event.error && { error: event.error }),
  }
  const batch: Batch | null =
    calls.length === 0
      ? null
      : {
          messageId: message.id,
          stopReason: message.stopReason,
          toolMessages: null,
          delivered: 0,
          calls: calls.map((call) => announcedCall(call, message.id)),
        }
  return withRun({ ...state, batch }, (run) => ({
    ...run,
    usage: addUsage(run.usage, answer.usage),
    step: { kind: 'answered', answer },
  }))
}

// A forged log may use an id twice. Two calls of one id would wait for each other for ever.
function distinct(calls: readonly ToolCallContent[]): readonly ToolCallContent[] {
  const ids = calls.map((call) => call.toolCallId)
  return calls.filter((call, index) => ids.indexOf(call.toolCallId) === index)
}

function deliverOne(batch: Batch | null, message: ToolResultMessage): Batch | null {
  const { toolMessages } = batch ?? {}
  if (!batch || toolMessages?.[batch.delivered]?.toolCallId !== message.toolCallId) return batch
  const delivered = batch.delivered + 1
  return delivered === toolMessages.length ? null : { ...batch, delivered }
}

function withAsking(
  state: State,
  messageId: string,
  change: (message: AssistantMessage) => AssistantMessage,
): State {
  return withRun(state, (run) => {
    if (run.step.kind !== 'asking' || run.step.message.id !== messageId) return run
    const step: Step = { kind: 'asking', message: change(run.step.message) }
    return { ...run, step }
  })
}
