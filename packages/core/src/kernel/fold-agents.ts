import type { AgentEvent } from './events.ts'
import { withRun } from './fold-run.ts'
import type { Usage } from './message.ts'
import { addUsage, noUsage } from './message.ts'
import type { State, SubAgent } from './state.ts'
import { emptyState, openCall } from './state.ts'

type Change = (state: State, event: AgentEvent) => State

/** What an event says about the agent inside a call that it belongs to. An agent is there until its run ends. */
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

/** The log was opened anew: the runs of all agents are lost, and each can tell. */
export function openAgents(state: State): State {
  const { bootId } = state
  const agents = [...state.agents].map(([id, agent]): [string, SubAgent] => [
    id,
    { ...agent, state: { ...agent.state, bootId } },
  ])
  return { ...state, agents: new Map(agents) }
}

/** An agent without a word yet. */
export function newAgent({ sessionId, bootId }: State, parentToolCallId: string): SubAgent {
  return { parentToolCallId, state: { ...emptyState(sessionId), bootId } }
}

interface Bill {
  readonly usage: Usage
  readonly hasUnknownCost: boolean
}

// What an agent used counts for the run whose call it is.
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

/** What the run of the session has used so far, with the agents that are still at work inside its calls. */
export function usageOfSession({ run, agents }: State): Usage {
  const inside = [...agents.values()].map((agent) => agent.state.run?.usage ?? noUsage)
  return inside.reduce(addUsage, run?.usage ?? noUsage)
}
