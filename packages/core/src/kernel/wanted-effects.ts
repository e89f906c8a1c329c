import { progressOf } from './batch-progress.ts'
import type { Effect } from './effect.ts'
import type { KernelConfig } from './kernel-config.ts'
import { isUnchecked } from './next-turn.ts'
import { uncheckedAnswer } from './output.ts'
import { type Batch, isLost, type Run, type State } from './state.ts'
import { isWaiting, type ToolCall } from './tool-call.ts'

/** All effects that should be running in this state. */
export function wantedEffects(state: State, config: KernelConfig): readonly Effect[] {
  const { run, batch } = state
  if (!run || isLost(state, run)) return []
  const step = effectOfStep(run, config)
  const calls = batch && !batch.toolMessages ? batchEffects(batch) : []
  const { deadlineMs } = config
  return [
    ...(deadlineMs !== null && !run.abort
      ? [{ type: 'watch_deadline', runId: run.runId, ms: deadlineMs } as const]
      : []),
    ...(step && !batch ? [step] : []),
    ...calls,
  ]
}

function effectOfStep(run: Run, config: KernelConfig): Effect | null {
  const { runId, turns, attempt, step } = run
  const asking = { type: 'ask_model', runId, turn: turns, attempt } as const
  switch (step.kind) {
    case 'between_turns': {
      const messageId = uncheckedAnswer(run)
      if (isUnchecked(run, config)) return { type: 'check_prompt', runId }
      return messageId === null ? null : { type: 'check_output', messageId }
    }
    case 'collecting':
    case 'asking':
      return { ...asking, delayMs: 0 }
    case 'retrying':
      return { ...asking, delayMs: step.delayMs }
    case 'compacting':
      return { type: 'compact', runId, turn: turns }
    case 'answered':
      return null
  }
}

function batchEffects(batch: Batch): readonly Effect[] {
  // Calls are checked one by one, because what a hook sees of one may matter for the next. Arguments that a person
  // edited have been through the hooks already.
  const { firstUnchecked: first } = progressOf(batch)
  const preparing: Effect[] = []
  const going: Effect[] = []
  for (const call of batch.calls) {
    const { stage, toolCallId } = call
    if (stage.kind === 'ended') continue
    const isEdited = stage.kind === 'edited'
    if (call === first || isEdited) preparing.push({ type: 'prepare_call', toolCallId, isEdited })
    const effect = effectOfCall(call)
    if (effect) going.push(effect)
  }
  return [...preparing, ...going]
}

function effectOfCall(call: ToolCall): Effect | null {
  const { stage, toolCallId, staged } = call
  if (stage.kind === 'streaming' || stage.kind === 'ended') return null
  if (staged) return { type: 'finish_call', toolCallId }
  if (stage.kind !== 'prepared' && stage.kind !== 'dispatched' && stage.kind !== 'running')
    return null
  if (isWaiting(call)) return null
  const isNext = stage.kind === 'prepared'
  return {
    type: 'run_call',
    toolCallId,
    attempt: isNext ? call.attempt + 1 : call.attempt,
    delayMs: isNext ? stage.retryDelayMs : 0,
    args: stage.effectiveArgs,
    stop: call.cancelledBy !== undefined,
  }
}
