import type { Draft } from './draft.ts'
import { dueBatchFacts } from './due-batch-facts.ts'
import type { KernelConfig } from './kernel-config.ts'
import type { Batch, State } from './state.ts'
import type { ToolCall } from './tool-call.ts'
import { hasEnded, isWaiting } from './tool-call.ts'

/** The facts that follow while no run is active: open calls are closed, or gone on with once they are answered. */
export function dueOutsideRun(state: State, config: KernelConfig): readonly Draft[] {
  const { batch } = state
  if (!batch || state.bootId === null) return []
  const open = batch.calls.filter((call) => !hasEnded(call))
  if (open.every((call) => call.cancelledBy === cancelledByMove)) {
    return dueBatchFacts({ state, run: null, batch, config })
  }
  return config.toolMode === 'auto' && isAnswered(batch) ? [startOf('resume', config)] : []
}

/** The start of a run that goes on with what is there. */
export function startOf(
  trigger: 'resume' | 'continue' | 'regenerate',
  config: KernelConfig,
): Draft {
  const { model, toolExecution, maxTurns } = config
  return { type: 'agent_start', trigger, model, toolExecution, maxTurns }
}

/** Who cancels the open calls when the conversation goes on elsewhere. */
export const cancelledByMove = 'head_moved'

// Somebody outside gave the last answer that was missing: to a call, or to whether it may run.
function isAnswered({ calls }: Batch): boolean {
  const open = calls.filter((call) => !hasEnded(call))
  if (open.some(isWaiting) || isHalfAnswered(open)) return false
  return open.some((call) => call.cancelledBy !== undefined || isSettled(call))
}

// What people answered before anything started was to be answered by people: the rest of it is, too.
function isHalfAnswered(open: readonly ToolCall[]): boolean {
  const untouched = open.filter(
    ({ stage, cancelledBy }) => stage.kind === 'streaming' && !cancelledBy,
  )
  return untouched.some(({ staged }) => staged) && untouched.some(({ staged }) => !staged)
}

function isSettled({ stage, staged }: ToolCall): boolean {
  return (
    staged !== undefined ||
    stage.kind === 'approved' ||
    stage.kind === 'edited' ||
    stage.kind === 'denied'
  )
}
