import type { State } from './state.ts'
import { hasEnded, isWaitingForApproval, isWaitingForClient, type ToolCall } from './tool-call.ts'

/** What an agent is doing: `ready` for a prompt, or in one of the steps of a run; `error` after a run that failed. */
export type RunStatus =
  | 'ready'
  | 'submitted'
  | 'streaming'
  | 'running_tools'
  | 'awaiting_approval'
  | 'awaiting_tool_results'
  | 'retrying'
  | 'compacting'
  | 'stopping'
  | 'error'

/** What the agent is doing, in one word. `isAsked`: whether a call waits for an approval. */
export function statusOf(
  state: State,
  isAsked: (call: ToolCall) => boolean = isWaitingForApproval,
): RunStatus {
  const { run } = state
  if (!run) return restingStatus(state)
  if (run.abort) return 'stopping'
  switch (run.step.kind) {
    case 'retrying':
      return 'retrying'
    case 'compacting':
      return 'compacting'
    case 'asking':
      return run.step.message.content.length > 0 ? 'streaming' : 'submitted'
    default:
      return statusOfBatch(state, isAsked)
  }
}

function statusOfBatch({ batch }: State, isAsked: (call: ToolCall) => boolean): RunStatus {
  let status: RunStatus = 'submitted'
  for (const call of batch?.calls ?? []) {
    if (hasEnded(call)) continue
    if (isAsked(call)) status = 'awaiting_approval'
    else if (hasCode(call)) return 'running_tools'
    else if (status === 'submitted' && isWaitingForClient(call)) status = 'awaiting_tool_results'
  }
  return status
}

/** Whether code runs for the call, or will once it was checked and has a slot. */
function hasCode({ stage }: ToolCall): boolean {
  return stage.kind !== 'streaming' && stage.place !== 'client'
}

function restingStatus({ lastRun, batch }: State): RunStatus {
  const reason = lastRun?.reason
  if (reason === 'error') return reason
  // The head may have moved away from the calls that waited.
  const waits = reason === 'awaiting_approval' || reason === 'awaiting_tool_results'
  return batch && waits ? reason : 'ready'
}
