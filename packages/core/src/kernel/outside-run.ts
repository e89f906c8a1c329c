import { defined } from '../internal/defined.ts'
import type { Draft } from './draft.ts'
import { dueBatchFacts } from './due-batch-facts.ts'
import type { QueuedInput, RunTrigger } from './events.ts'
import type { KernelConfig } from './kernel-config.ts'
import { carriedOutput } from './output.ts'
import type { OutputRequest } from './output-request.ts'
import type { Batch, State } from './state.ts'
import { hasEnded, isAnswered, type ToolCall } from './tool-call.ts'

/** The facts that follow while no run is active: open calls are closed, or a run resumes once they are answered. */
export function dueOutsideRun(state: State, config: KernelConfig): readonly Draft[] {
  const { batch } = state
  if (!batch || state.bootId === null) return []
  const open = batch.calls.filter((call) => !hasEnded(call))
  if (open.every((call) => call.cancelledBy === cancelledByMove)) {
    return dueBatchFacts({ state, run: null, batch, config })
  }
  return config.toolMode === 'auto' && hasAllAnswers(batch) ? [resumed(state, config)] : []
}

function resumed(state: State, config: KernelConfig): Draft {
  return startOf('resume', config, defined({ output: carriedOutput(state, 'resume') }))
}

/** What a run starts with: a prompt, unless it continues the conversation, and an output, if one is asked for. */
export interface Asked {
  readonly input?: QueuedInput
  readonly output?: OutputRequest
}

export function startOf(trigger: RunTrigger, config: KernelConfig, asked: Asked = {}): Draft {
  const { input, output } = asked
  const { model, toolExecution, maxTurns } = config
  const settings = { model, toolExecution, maxTurns }
  return {
    type: 'agent_start',
    trigger,
    ...defined({ input }),
    ...settings,
    ...defined({ output }),
  }
}

/** `cancelledBy` of the calls that were open when the head moved to another message. */
export const cancelledByMove = 'head_moved'

// Whether the last missing answer has come, so that no call that has started waits any more. A call that was cut off
// with its page has no answer: it waits for its run to be continued.
function hasAllAnswers({ calls }: Batch): boolean {
  const open = calls.filter((call) => !hasEnded(call))
  const hasWord = (call: ToolCall) => call.cancelledBy !== undefined || isAnswered(call)
  return (
    open.some(hasWord) && open.every((call) => call.stage.kind === 'streaming' || hasWord(call))
  )
}
