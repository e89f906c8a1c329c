import type { Draft } from './draft.ts'
import type { Ending } from './ending.ts'
import { endOfCall } from './ending.ts'
import { haltOf } from './halt.ts'
import type { KernelConfig } from './kernel-config.ts'
import { readArgs } from './message.ts'
import type { Batch, Run, State } from './state.ts'
import { isLost } from './state.ts'
import type { EndedToolCall, ToolCall } from './tool-call.ts'
import { hasEnded, isDispatched } from './tool-call.ts'
import type { ExecutionResult, ToolMessage } from './tool-result.ts'
import { truncateForModel } from './truncate.ts'

interface Situation {
  readonly state: State
  readonly run: Run
  readonly batch: Batch
  readonly config: KernelConfig
}

/** The facts that follow from the calls of one answer: starts, ends that need no code, then results in call order. */
export function dueBatchFacts(situation: Situation): readonly Draft[] {
  const { batch, config } = situation
  if (batch.toolMessages) return dueResult(batch, batch.toolMessages)
  const starts = dueStarts(batch, config)
  if (starts.length > 0) return starts
  const ends = dueEnds(situation)
  if (ends.length > 0) return ends
  return batch.calls.every(hasEnded) ? [endOfBatch(batch.calls.filter(hasEnded), config)] : []
}

function dueResult(batch: Batch, toolMessages: readonly ToolMessage[]): readonly Draft[] {
  const next = toolMessages[batch.delivered]
  return next ? [{ type: 'whole_message', message: { role: 'toolResult', ...next } }] : []
}

function dueStarts(batch: Batch, config: KernelConfig): readonly Draft[] {
  return batch.calls.flatMap((call, index): readonly Draft[] => {
    if (call.stage.kind !== 'streaming') return []
    const { toolCallId, toolName, argsText } = call
    const tool = config.tools.get(toolName)
    const reading = readArgs(argsText)
    return [
      {
        type: 'tool_execution_start',
        toolCallId,
        toolName,
        label: tool?.label ?? toolName,
        args: reading.ok ? reading.args : argsText,
        index,
        batchSize: batch.calls.length,
        place: tool?.place ?? 'worker',
      },
    ]
  })
}

function dueEnds(situation: Situation): readonly Draft[] {
  const { batch, config } = situation
  // Calls are checked one by one: only the first that nothing is known of.
  const first = batch.calls.find((call) => call.stage.kind === 'accepted')
  return batch.calls.flatMap((call): readonly Draft[] => {
    if (hasEnded(call)) return []
    const ending =
      haltedEnding(call, situation) ?? (call === first ? refusal(call, situation) : null)
    return ending ? [endOfCall(call, ending, config.maxToolResultChars)] : []
  })
}

function haltedEnding(call: ToolCall, { state, run }: Situation): Ending | null {
  if (isDispatched(call)) return isLost(state, run) ? { kind: 'interrupted' } : null
  if (call.cancelledBy !== undefined) return { kind: 'cancelled' }
  switch (haltOf(state, run)) {
    case 'aborted':
      return { kind: 'cancelled' }
    case 'interrupted':
      return { kind: 'interrupted' }
    case null:
      return null
  }
}

function refusal(call: ToolCall, { batch, config }: Situation): Ending | null {
  if (batch.stopReason !== 'tool_use') return { kind: 'cut_off' }
  if (call.stage.kind === 'accepted' && call.stage.index >= config.maxCallsPerTurn) {
    return { kind: 'limit', limit: `limit of ${config.maxCallsPerTurn} tool calls per turn` }
  }
  if (!config.tools.has(call.toolName)) {
    return { kind: 'not_found', available: [...config.tools.keys()] }
  }
  const reading = readArgs(call.argsText)
  return reading.ok ? null : { kind: 'invalid_args', problem: reading.problem }
}

function endOfBatch(calls: readonly EndedToolCall[], config: KernelConfig): Draft {
  return {
    type: 'tools_end',
    toolCallIds: calls.map((call) => call.toolCallId),
    toolMessages: calls.map((call) => toolMessageOf(call, config.maxToolResultChars)),
    executionResults: calls.map(executionResultOf),
    terminate: calls.every((call) => call.stage.result.terminate === true),
  }
}

/** What the model reads of a call that has ended. */
function toolMessageOf(call: EndedToolCall, maxChars: number): ToolMessage {
  const { toolCallId, toolName, stage } = call
  return {
    toolCallId,
    toolName,
    content: truncateForModel(stage.result.content, maxChars),
    isError: stage.isError,
  }
}

function executionResultOf({ toolCallId, toolName, stage }: EndedToolCall): ExecutionResult {
  const { outcome, isError, errorKind, timing } = stage
  return { toolCallId, toolName, outcome, isError, ...(errorKind && { errorKind }), timing }
}
