import type { Effect } from './effect.ts'
import type { Batch, State } from './state.ts'
import { isLost } from './state.ts'
import type { ToolCall } from './tool-call.ts'

/** Everything that should be going on outside the kernel in this state. */
export function wantedEffects(state: State): readonly Effect[] {
  const { run } = state
  if (!run || isLost(state, run)) return []
  switch (run.step.kind) {
    case 'collecting':
    case 'asking':
      return [{ type: 'ask_model', runId: run.runId, turn: run.turns }]
    case 'answered':
      return state.batch ? batchEffects(state.batch) : []
    case 'between_turns':
      return []
  }
}

function batchEffects(batch: Batch): readonly Effect[] {
  const unprepared = batch.calls.find((call) => call.stage.kind === 'accepted')
  const prepare: readonly Effect[] = unprepared
    ? [{ type: 'prepare_call', toolCallId: unprepared.toolCallId }]
    : []
  return [...prepare, ...batch.calls.flatMap(runEffect)]
}

function runEffect(call: ToolCall): readonly Effect[] {
  const { stage, toolCallId } = call
  if (stage.kind !== 'prepared' && stage.kind !== 'dispatched' && stage.kind !== 'running')
    return []
  const attempt = stage.kind === 'prepared' ? call.attempt + 1 : call.attempt
  const stop = call.cancelledBy !== undefined
  return [{ type: 'run_call', toolCallId, attempt, args: stage.effectiveArgs, stop }]
}
