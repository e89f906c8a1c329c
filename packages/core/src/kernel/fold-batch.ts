import { defined } from '../internal/defined.ts'
import type { EventOf } from './events.ts'
import { acceptedPart, foldStage, type StageEvent } from './fold-stage.ts'
import { type Batch, type State, withCall } from './state.ts'
import { type CallStage, hasEnded, hasValidArgs, lastLines, type ToolCall } from './tool-call.ts'
import type { CallLogs } from './tool-outcome.ts'

type BatchEvent = EventOf<
  | StageEvent['type']
  | 'tool_result_staged'
  | 'auto_retry_end'
  | 'tool_execution_update'
  | 'tool_progress'
  | 'tool_log'
  | 'tool_cancel_requested'
  | 'tool_execution_end'
  | 'tools_end'
>

/** How many log lines of a call are kept. */
export const keptLogLines = 500

/** The state after an event about a call of the open batch. An event for a call that has ended changes nothing. */
export function foldBatch(state: State, event: BatchEvent): State {
  const { batch: before } = state
  if (!before) return state
  if (event.type === 'tools_end') return closeBatch(state, before, event)
  const batch = withCall(before, event.toolCallId, (call) =>
    hasEnded(call) ? call : changeCall(call, event, state),
  )
  return batch === before ? state : { ...state, batch }
}

/** The batch with every call cancelled that has not ended. The first `by` of a call stays. */
export function cancelCalls(batch: Batch, by: string): Batch {
  const calls = batch.calls.map((call) =>
    hasEnded(call) || call.cancelledBy !== undefined ? call : { ...call, cancelledBy: by },
  )
  return { ...batch, calls }
}

function closeBatch(state: State, batch: Batch, event: EventOf<'tools_end'>): State {
  const { head, run } = state
  const settled = { ...state, batch: { ...batch, toolMessages: event.toolMessages } }
  if (head?.message.id === batch.messageId) settled.head = { ...head, calls: batch.calls }
  if (run?.step.kind === 'answered') {
    const answer = { ...run.step.answer, terminate: event.terminate }
    settled.run = { ...run, step: { kind: 'answered', answer } }
  } else if (run?.step.kind === 'between_turns' && run.step.last) {
    const last = { ...run.step.last, terminate: event.terminate }
    settled.run = { ...run, step: { kind: 'between_turns', last } }
  }
  return settled
}

type CallEvent = Exclude<BatchEvent, EventOf<'tools_end'>>

function changeCall(call: ToolCall, event: CallEvent, { run, bootId }: State): ToolCall {
  switch (event.type) {
    case 'tool_result_staged':
      return call.staged
        ? call
        : { ...call, staged: { result: event.result, isError: event.isError } }
    case 'tool_execution_update':
      return { ...call, partial: event.partialResult }
    case 'tool_progress':
      return { ...call, progress: progressOf(event) }
    case 'tool_log':
      return { ...call, logs: addLines(call.logs, event) }
    case 'tool_cancel_requested':
      return { ...call, cancelledBy: event.by }
    case 'tool_execution_end':
      return endCall(call, event)
    case 'auto_retry_end':
      return call
    default:
      return changeStage(call, event, run !== null && run.bootId !== bootId)
  }
}

function changeStage(call: ToolCall, event: StageEvent, isLost: boolean): ToolCall {
  const stage = foldStage(call.stage, event, isLost)
  if (stage === call.stage) return call
  switch (event.type) {
    case 'tool_execution_start':
      return { ...call, stage, label: event.label }
    case 'tool_dispatched':
      return { ...call, stage, attempt: event.attempt }
    case 'auto_retry_start': {
      // How far the failed attempt said it was says nothing of the next one.
      const { progress: _progress, ...rest } = call
      const { attempt, failedAttempts = [] } = call
      const failed = { attempt, message: event.error.message }
      return { ...rest, stage, failedAttempts: [...failedAttempts, failed] }
    }
    default:
      return { ...call, stage }
  }
}

function endCall(call: ToolCall, event: EventOf<'tool_execution_end'>): ToolCall {
  const { stage } = call
  if (stage.kind === 'streaming' || stage.kind === 'ended') return call
  const { outcome, result, isError, mayHaveRun, timing, errorKind, how, partialResult, logs } =
    event
  const { partial: _partial, progress: _progress, staged: _staged, ...settled } = call
  return {
    ...settled,
    ...defined({ partial: partialResult }),
    // A page that watched the call has more lines than the event, and keeps them.
    ...(logs && logs.lines.length >= call.logs.lines.length && { logs }),
    stage: {
      ...durablePart(stage),
      kind: 'ended',
      ...{ outcome, result, isError, mayHaveRun, timing },
      ...defined({ errorKind, how }),
      truncatedForModel: event.truncatedForModel === true,
      endedAt: event.ts,
      hasValidArgs: hasValidArgs(call),
    },
  }
}

type Unended = Exclude<CallStage, { readonly kind: 'streaming' | 'ended' }>
type EndedStage = Extract<CallStage, { readonly kind: 'ended' }>
type DurablePart = Pick<
  EndedStage,
  'args' | 'index' | 'place' | 'acceptedAt' | 'effectiveArgs' | 'executionId' | 'dispatchedAt'
>

// The fields that an ended call keeps. `tool_running` is ephemeral, so nothing that it brought may be kept: a replay of
// the stored log has to give the same state.
function durablePart(stage: Unended): DurablePart {
  const { effectiveArgs, executionId, dispatchedAt }: DurablePart = stage
  return { ...acceptedPart(stage), ...defined({ effectiveArgs, executionId, dispatchedAt }) }
}

function progressOf(event: EventOf<'tool_progress'>): NonNullable<ToolCall['progress']> {
  const { message, status, value, total, unit } = event
  return defined({ message, status, value, total, unit })
}

function addLines(logs: CallLogs, event: EventOf<'tool_log'>): CallLogs {
  const lines = [...logs.lines, ...event.lines]
  return lastLines({ lines, dropped: logs.dropped + event.dropped }, keptLogLines)
}
