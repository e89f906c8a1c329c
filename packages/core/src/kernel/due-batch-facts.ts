import { defined } from '../internal/defined.ts'
import { isUnchecked, progressOf } from './batch-progress.ts'
import type { Draft } from './draft.ts'
import { endOfRun, endOfTurn } from './end-of-run.ts'
import { type Ending, endOfCall } from './ending.ts'
import { haltOf } from './halt.ts'
import type { KernelConfig } from './kernel-config.ts'
import { repetitionsOf, withRepeat } from './repeats.ts'
import type { BatchSituation } from './situation.ts'
import { type Batch, isLost } from './state.ts'
import { isSteered } from './steering.ts'
import {
  argsOf,
  type EndedToolCall,
  hasEnded,
  isDispatched,
  isInterrupted,
  type ToolCall,
} from './tool-call.ts'
import type { ExecutionResult, ToolMessage } from './tool-outcome.ts'
import { endsOfCall, retryOfCall } from './tool-retry.ts'
import { truncateForModel } from './truncate-for-model.ts'
import { isUnderWay, openUnit } from './units.ts'
import { mayOutlive, waitingFor } from './waiting.ts'

/** The facts that follow from the calls of one answer: starts, ends that need no code, then `tools_end`. */
export function dueBatchFacts(situation: BatchSituation): readonly Draft[] {
  const { batch, run, config } = situation
  const pause = run && waitingFor(situation)
  if (run && pause) {
    const turnEnd = run.step.kind === 'answered' ? [endOfTurn(run, run.step.answer)] : []
    return [...turnEnd, endOfRun(run, pause)]
  }
  const { hasUnstarted, haveAllEnded, firstUnchecked } = progressOf(batch)
  const isCut = run !== null && isLost(situation.state, run)
  // After the page is gone, calls that have not started may be left to a later run. Whether they are is only known once
  // all others are settled, so those come first.
  const settled = isCut ? dueChanges(situation, firstUnchecked) : []
  if (settled.length > 0) return settled
  const starts = hasUnstarted ? dueStarts(situation) : []
  if (starts.length > 0) return starts
  const changes = isCut ? [] : dueChanges(situation, firstUnchecked)
  if (changes.length > 0) return changes
  return haveAllEnded ? [endOfBatch(batch.calls.filter(hasEnded), config)] : []
}

/** The result messages that are still to be written. */
export function dueResults(batch: Batch, toolMessages: readonly ToolMessage[]): readonly Draft[] {
  const next = toolMessages[batch.delivered]
  return next ? [{ type: 'whole_message', message: { role: 'toolResult', ...next } }] : []
}

function dueStarts(situation: BatchSituation): readonly Draft[] {
  const { batch, config, state } = situation
  const unstarted = batch.calls.filter(isUnstarted)
  if (isClosing(situation)) return startsOf(unstarted, situation)
  const open = openUnit(batch, config)
  const unit = open.filter(isUnstarted)
  if (unit.length === 0) return []
  // A call that is retried may start beside others of its unit: that is no checkpoint.
  const isCheckpoint = unstarted.length < batch.calls.length && !open.some(isUnderWay)
  if (!isCheckpoint || !isSteered(state)) return startsOf(unit, situation)
  // A call that a person has retried is not skipped.
  return [
    ...unstarted.flatMap((call) => (call.retry ? [] : skipped(call, situation))),
    ...startsOf(
      unit.filter((call) => call.retry),
      situation,
    ),
  ]
}

function skipped(call: ToolCall, situation: BatchSituation): readonly Draft[] {
  const start = startOf(call, situation)
  return [start, endOfCall(call, { kind: 'skipped' }, situation.config.maxToolResultChars)]
}

function isUnstarted({ stage }: ToolCall): boolean {
  return stage.kind === 'streaming'
}

// Whether no call of the batch will run any more. Then all of them start together, without units.
function isClosing({ state, run, batch }: BatchSituation): boolean {
  if (!run || haltOf(state, run) !== null || batch.stopReason !== 'tool_use') return true
  return batch.calls.every((call) => hasEnded(call) || call.cancelledBy !== undefined)
}

function startsOf(calls: readonly ToolCall[], situation: BatchSituation): readonly Draft[] {
  return [...calls.map((call) => startOf(call, situation)), ...loopsIn(calls, situation)]
}

function startOf(call: ToolCall, { batch, config }: BatchSituation): Draft {
  const { toolCallId, toolName, argsText } = call
  const tool = config.tools.get(toolName)
  const reading = argsOf(call)
  return {
    type: 'tool_execution_start',
    toolCallId,
    toolName,
    label: tool?.label ?? toolName,
    args: reading.ok ? reading.args : argsText,
    index: batch.calls.indexOf(call),
    batchSize: batch.calls.length,
    place: config.toolMode === 'manual' ? 'client' : (tool?.place ?? 'worker'),
  }
}

// Only calls that may run count towards a loop.
function loopsIn(calls: readonly ToolCall[], situation: BatchSituation): readonly Draft[] {
  const { run, config } = situation
  const { loop } = config
  if (!run || !loop || isClosing(situation)) return []
  let { repeats, isLooping } = run
  return calls.flatMap((call): readonly Draft[] => {
    if (call.isTwin || call.retry) return []
    repeats = withRepeat(repeats, call)
    const repetitions = repetitionsOf(repeats, call)
    const aborted = repetitions >= loop.stopAt
    if (aborted ? isLooping : repetitions !== loop.noteAt) return []
    isLooping ||= aborted
    return [{ type: 'loop_detected', toolName: call.toolName, repetitions, aborted }]
  })
}

function dueChanges(situation: BatchSituation, first: ToolCall | null): readonly Draft[] {
  const { batch, run, config } = situation
  const mayResume = config.mayPauseForPeople && !run?.abort
  // Calls are checked one by one: a refusal of the first unchecked call makes the next one the first.
  let isNext = false
  const facts: Draft[] = []
  for (const call of batch.calls) {
    if (hasEnded(call) || isUnstarted(call)) continue
    const isChecked: boolean = call === first || (isNext && isUnchecked(call) && !call.retry)
    const ending: Ending | null =
      haltedEnding(call, situation) ??
      (isChecked || isTooMany(call, config) || lacksTool(call, config)
        ? refusal(call, situation)
        : null)
    if (isChecked) isNext = ending !== null
    const { stage, toolCallId } = call
    const again = ending?.kind === 'interrupted' && mayResume && retryOfCall(call, ending, config)
    if (again) facts.push(again)
    else if (ending) facts.push(...endsOfCall(call, ending, config.maxToolResultChars))
    else if (stage.kind === 'approved')
      facts.push({ type: 'tool_prepared', toolCallId, effectiveArgs: stage.approvalArgs })
  }
  return facts
}

function haltedEnding(call: ToolCall, { state, run, config }: BatchSituation): Ending | null {
  const lost = run !== null && isLost(state, run)
  if (isDispatched(call)) return lost ? { kind: 'interrupted' } : null
  if (call.stage.kind === 'denied') {
    return { kind: 'denied', ...defined({ reason: call.stage.reason }) }
  }
  // A call that the page has answered was done there: the answer counts, unless hooks have to see it first.
  const isLeft = lost || call.cancelledBy !== undefined || run?.abort
  if (isLeft && call.staged && !config.checksResults) return { kind: 'given', ...call.staged }
  if (call.cancelledBy !== undefined || run?.abort) {
    return { kind: isInterrupted(call) ? 'interrupted' : 'cancelled' }
  }
  if (!lost) return null
  return mayOutlive(call, config) ? null : { kind: 'interrupted' }
}

// When an answer has too many calls, those beyond the limit end together, because no hook sees them.
function isTooMany({ stage, staged, retry }: ToolCall, { maxCallsPerTurn }: KernelConfig): boolean {
  return stage.kind === 'accepted' && !staged && !retry && stage.index >= maxCallsPerTurn
}

// A page that was reloaded while a person was asked may have lost the tool.
function lacksTool({ stage, toolName, staged }: ToolCall, { tools }: KernelConfig): boolean {
  if (staged || tools.has(toolName)) return false
  if (stage.kind === 'prepared') return stage.place !== 'client'
  return stage.kind === 'approved' || stage.kind === 'edited'
}

function refusal(call: ToolCall, { batch, config }: BatchSituation): Ending | null {
  const { loop, tools, toolMode } = config
  if (batch.stopReason !== 'tool_use') return { kind: 'cut_off' }
  if (isTooMany(call, config)) {
    return { kind: 'limit', limit: `limit of ${config.maxCallsPerTurn} tool calls per turn` }
  }
  if (loop && call.repetitions >= loop.stopAt) {
    return { kind: 'limit', limit: `limit of ${loop.stopAt} equal calls` }
  }
  // In manual mode the page may accept arguments that the agent cannot read.
  if (toolMode === 'manual') return null
  if (!tools.has(call.toolName)) return { kind: 'not_found', available: [...tools.keys()] }
  const reading = argsOf(call)
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

/** What the model reads about a call that has ended. */
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
  return { toolCallId, toolName, outcome, isError, ...defined({ errorKind }), timing }
}
