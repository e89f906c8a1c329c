import type { State } from '../kernel/state.ts'
import { type RunStatus, statusOf } from '../kernel/status.ts'
import { isWaitingForApproval, type ToolCall } from '../kernel/tool-call.ts'

/** What an agent is doing, with the agents inside its calls: it waits for a person only if everything in it does. */
export function shownStatus(state: State): RunStatus {
  const agents = [...state.agents.values()]
  const isAsked = (call: ToolCall): boolean => {
    if (isWaitingForApproval(call)) return true
    const inside = agents.filter((agent) => agent.parentToolCallId === call.toolCallId)
    return (
      inside.length > 0 &&
      inside.every((agent) => statusOf(agent.state, isAsked) === 'awaiting_approval')
    )
  }
  return statusOf(state, isAsked)
}
