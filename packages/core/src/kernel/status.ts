import type { EndedRun, State } from './state.ts'
import { hasEnded } from './tool-call.ts'

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

/** What the agent is doing, in one word. */
export function statusOf(state: State): RunStatus {
  const { run, lastRun } = state
  if (!run) return restingStatus(lastRun)
  if (run.abort) return 'stopping'
  switch (run.step.kind) {
    case 'retrying':
      return 'retrying'
    case 'compacting':
      return 'compacting'
    case 'asking':
      return run.step.message.content.length > 0 ? 'streaming' : 'submitted'
    default:
      return statusOfBatch(state)
  }
}

function statusOfBatch({ batch }: State): RunStatus {
  const open = batch?.calls.filter((call) => !hasEnded(call)) ?? []
  if (open.length === 0) return 'submitted'
  const isAsked = open.some(({ stage }) => stage.kind === 'awaiting_approval')
  const isBusy = open.some(
    ({ stage }) => stage.kind !== 'awaiting_approval' && stage.kind !== 'streaming',
  )
  return isAsked && !isBusy ? 'awaiting_approval' : 'running_tools'
}

function restingStatus(lastRun: EndedRun | null): RunStatus {
  switch (lastRun?.reason) {
    case 'error':
      return 'error'
    case 'awaiting_approval':
    case 'awaiting_tool_results':
      return lastRun.reason
    default:
      return 'ready'
  }
}
