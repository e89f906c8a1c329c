import type { AgentEvent } from './events.ts'
import { withRun } from './fold-run.ts'
import { addUsage, noUsage, type Usage } from './message.ts'
import { emptyState, openCall, type Run, type State, type SubAgent } from './state.ts'
import { storedCall } from './tool-call.ts'

type Change = (state: State, event: AgentEvent) => State

/** The state after an event of an agent that runs inside a call. The agent stays in the state until its run ends. */
export function foldAgents(state: State, event: AgentEvent, change: Change): State {
  const { agentId = '', parentToolCallId = '' } = event
  const agent = state.agents.get(agentId) ?? newAgent(state, parentToolCallId)
  const agents = new Map(state.agents)
  if (event.type === 'agent_end') agents.delete(agentId)
  else agents.set(agentId, { ...agent, state: change(agent.state, event) })
  const changed = { ...state, agents }
  if (event.type !== 'agent_end') return changed
  const hasUnknownCost = agent.state.run?.hasUnknownCost === true
  return charge(changed, agent.parentToolCallId, { usage: event.usage, hasUnknownCost })
}

/** Gives every agent the new `bootId` of a reopened log. So each can see that its run is lost. */
export function openAgents(state: State): State {
  const { bootId } = state
  const agents = [...state.agents].map(([id, agent]): [string, SubAgent] => [
    id,
    { ...agent, state: { ...withoutUnstored(agent.state), bootId } },
  ])
  return { ...withoutUnstored(state), agents: new Map(agents) }
}

/**
 * Forgets what only ephemeral events said of the open calls, so that a page that followed them live has the same state
 * as a page that reads the log.
 */
function withoutUnstored(state: State): State {
  const { batch } = state
  return batch ? { ...state, batch: { ...batch, calls: batch.calls.map(storedCall) } } : state
}

/** An agent inside a call, before its first event. */
export function newAgent({ sessionId, bootId }: State, parentToolCallId: string): SubAgent {
  return { parentToolCallId, state: { ...emptyState(sessionId), bootId } }
}

type Bill = Pick<Run, 'usage' | 'hasUnknownCost'>

// Adds what a sub-agent has used to the run whose call it answered.
function charge(state: State, toolCallId: string, bill: Bill): State {
  if (openCall(state, toolCallId)) return chargeRun(state, bill)
  for (const [id, agent] of state.agents) {
    if (!openCall(agent.state, toolCallId)) continue
    const charged = { ...agent, state: chargeRun(agent.state, bill) }
    return { ...state, agents: new Map(state.agents).set(id, charged) }
  }
  return state
}

function chargeRun(state: State, { usage, hasUnknownCost }: Bill): State {
  return withRun(state, (run) => ({
    ...run,
    usage: addUsage(run.usage, usage),
    hasUnknownCost: run.hasUnknownCost || hasUnknownCost,
  }))
}

/** What the session's run has used so far, with the sub-agents that still run inside its calls. */
export function usageOfSession({ run, agents }: State): Usage {
  const inside = [...agents.values()].map((agent) => agent.state.run?.usage ?? noUsage)
  return inside.reduce(addUsage, run?.usage ?? noUsage)
}
