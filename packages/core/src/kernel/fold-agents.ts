import type { AgentEvent } from './events.ts'
import { withRun } from './fold-run.ts'
import type { Usage } from './message.ts'
import { addUsage } from './message.ts'
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
  return event.type === 'agent_end' ? charge(changed, agent.parentToolCallId, event.usage) : changed
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

// What an agent used counts for the run whose call it is.
function charge(state: State, toolCallId: string, usage: Usage): State {
  if (openCall(state, toolCallId)) return chargeRun(state, usage)
  for (const [id, agent] of state.agents) {
    if (!openCall(agent.state, toolCallId)) continue
    const charged = { ...agent, state: chargeRun(agent.state, usage) }
    return { ...state, agents: new Map(state.agents).set(id, charged) }
  }
  return state
}

function chargeRun(state: State, usage: Usage): State {
  return withRun(state, (run) => ({ ...run, usage: addUsage(run.usage, usage) }))
}
