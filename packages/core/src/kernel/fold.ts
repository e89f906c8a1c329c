import { assertNever } from '../internal/assert-never.ts'
import type { AgentEvent, EventOf } from './events.ts'
import { isDurable } from './events.ts'
import { foldBatch } from './fold-batch.ts'
import { foldDelta } from './fold-delta.ts'
import type { AssistantMessage, Message } from './message.ts'
import { addUsage, callsOf, noUsage, textOf } from './message.ts'
import type { Answer, Batch, Run, State, Step } from './state.ts'
import { announcedCall } from './tool-call.ts'

/**
 * The state after an event. Pure and total: the state of a log is the fold of its events, and any prefix of
 * a log has a state.
 */
export function fold(state: State, event: AgentEvent): State {
  return change(count(state, event), event)
}

function count(state: State, event: AgentEvent): State {
  return isDurable(event)
    ? { ...state, nextSeq: event.seq + 1, sub: 0 }
    : { ...state, sub: event.sub ?? state.sub + 1 }
}

function change(state: State, event: AgentEvent): State {
  switch (event.type) {
    case 'session_opened':
      return { ...state, bootId: event.bootId }
    case 'agent_start':
      return { ...state, run: startRun(state, event) }
    case 'agent_end':
      return endRun(state, event)
    case 'turn_start':
      return withRun(state, (run) => ({
        ...run,
        turns: run.turns + 1,
        countedTurns: run.countedTurns + 1,
        step: { kind: 'collecting' },
      }))
    case 'turn_end':
      return withRun(state, (run) => ({
        ...run,
        step: { kind: 'between_turns', last: lastAnswer(run) },
      }))
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
    case 'abort_requested': {
      const { by, reason } = event
      return withRun(state, (run) => ({
        ...run,
        abort: reason === undefined ? { by } : { by, reason },
      }))
    }
    case 'tool_execution_start':
    case 'tool_prepared':
    case 'tool_dispatched':
    case 'tool_running':
    case 'tool_execution_update':
    case 'tool_progress':
    case 'tool_log':
    case 'tool_cancel_requested':
    case 'tool_execution_end':
    case 'tools_end':
      return foldBatch(state, event)
    case 'tool_result_staged':
    case 'tool_approval_requested':
    case 'tool_approval_resolved':
    case 'tool_custom':
    case 'queue_update':
    case 'auto_retry_start':
    case 'auto_retry_end':
    case 'compaction_start':
    case 'compaction_end':
    case 'head_moved':
    case 'loop_detected':
    case 'input_rejected':
    case 'warning':
      return state
    default:
      return assertNever(event)
  }
}

function startRun(state: State, event: EventOf<'agent_start'>): Run {
  return {
    runId: event.runId ?? '',
    bootId: state.bootId,
    trigger: event.trigger,
    toolExecution: event.toolExecution,
    maxTurns: event.maxTurns,
    pending: event.input ? [event.input] : [],
    turns: 0,
    countedTurns: 0,
    usage: noUsage,
    abort: null,
    step: { kind: 'between_turns', last: null },
  }
}

function endRun(state: State, event: EventOf<'agent_end'>): State {
  const { runId, reason, turns, usage, error } = event
  const lastRun = { runId: runId ?? '', reason, turns, usage, ...(error && { error }) }
  return { ...state, run: null, lastRun }
}

function startMessage(state: State, message: Message): State {
  if (message.role !== 'assistant') return state
  return withRun(state, (run) => ({ ...run, step: { kind: 'asking', message } }))
}

function endMessage(state: State, event: EventOf<'message_end'>): State {
  const { message } = event
  const excluded = event.excluded === true
  const depth = state.head ? state.head.depth + 1 : 0
  const added = { ...state, head: { message, calls: [], excluded, depth, parent: state.head } }
  switch (message.role) {
    case 'user':
      return withRun(added, (run) => ({ ...run, pending: run.pending.slice(1) }))
    case 'assistant':
      return commitAnswer(added, event, message)
    case 'toolResult':
      return { ...added, batch: deliverOne(state.batch) }
    case 'system':
      return added
  }
}

function commitAnswer(
  state: State,
  event: EventOf<'message_end'>,
  message: AssistantMessage,
): State {
  const calls = event.excluded ? [] : callsOf(message.content)
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
          closed: false,
          delivered: 0,
          calls: calls.map((call) => announcedCall(call, message.id)),
        }
  return withRun({ ...state, batch }, (run) => ({
    ...run,
    usage: addUsage(run.usage, answer.usage),
    step: { kind: 'answered', answer },
  }))
}

function deliverOne(batch: Batch | null): Batch | null {
  if (!batch) return null
  const delivered = batch.delivered + 1
  return delivered === batch.calls.length ? null : { ...batch, delivered }
}

function lastAnswer({ step }: Run): Answer | null {
  return step.kind === 'answered' ? step.answer : null
}

function withRun(state: State, change: (run: Run) => Run): State {
  return state.run ? { ...state, run: change(state.run) } : state
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
