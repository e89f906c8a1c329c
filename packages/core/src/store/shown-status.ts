import type { State } from '../kernel/state.ts'
import type { RunStatus } from '../kernel/status.ts'
import { statusOf } from '../kernel/status.ts'
import { hasEnded } from '../kernel/tool-call.ts'

/** What an agent is doing, agents inside its calls included: when all of it waits for a person, it waits. */
export function shownStatus(state: State): RunStatus {
  return statusIn(state, state.agents)
}

function statusIn(state: State, agents: State['agents']): RunStatus {
  const status = statusOf(state)
  if (status !== 'running_tools' || agents.size === 0) return status
  const busy = state.batch?.calls.filter(
    (call) =>
      !hasEnded(call) && call.stage.kind !== 'awaiting_approval' && call.stage.kind !== 'streaming',
  )
  const isAsked = busy?.every(({ toolCallId }) => {
    const inside = [...agents.values()].filter((agent) => agent.parentToolCallId === toolCallId)
    return (
      inside.length > 0 &&
      inside.every((agent) => statusIn(agent.state, agents) === 'awaiting_approval')
    )
  })
  return isAsked && busy && busy.length > 0 ? 'awaiting_approval' : status
}
