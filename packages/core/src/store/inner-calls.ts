import type { State, SubAgent } from '../kernel/state.ts'
import type { ToolCall } from '../kernel/tool-call.ts'
import { createBranchFollower } from './follow-branch.ts'
import { openCallsOf, sameItems } from './open-calls.ts'

/** The calls of an agent that runs inside a call. */
export interface InnerCalls {
  readonly agentId: string
  readonly parentToolCallId: string
  readonly open: readonly ToolCall[]
  /** The calls of the agent's earlier answers, by id. Grows. */
  readonly settled: ReadonlyMap<string, ToolCall>
  /** The ids of all calls of the agent, in the order in which they were made. */
  readonly ids: readonly string[]
}

/** Finds the calls of sub-agents. An agent that has not changed gives the same object. */
export function createInnerCalls(): (agents: State['agents']) => readonly InnerCalls[] {
  const followers = new Map<string, (agent: SubAgent) => InnerCalls>()
  let last: { readonly agents: State['agents']; readonly calls: readonly InnerCalls[] } | null =
    null
  return (agents) => {
    if (last?.agents === agents) return last.calls
    for (const agentId of followers.keys()) if (!agents.has(agentId)) followers.delete(agentId)
    const calls = [...agents].map(([agentId, agent]) => {
      const follow = followers.get(agentId) ?? createAgentFollower(agentId)
      followers.set(agentId, follow)
      return follow(agent)
    })
    last = { agents, calls }
    return calls
  }
}

function createAgentFollower(agentId: string): (agent: SubAgent) => InnerCalls {
  const follow = createBranchFollower()
  const settled = new Map<string, ToolCall>()
  let last: InnerCalls | null = null
  return ({ parentToolCallId, state }) => {
    const { added } = follow(state.head)
    for (const node of added) for (const call of node.calls) settled.set(call.toolCallId, call)
    const open = openCallsOf(state)
    if (last && added.length === 0 && sameItems(last.open, open)) return last
    const ids = idsOf(settled, open)
    const known = last && sameItems(last.ids, ids) ? last.ids : ids
    last = { agentId, parentToolCallId, open, settled, ids: known }
    return last
  }
}

function idsOf(settled: ReadonlyMap<string, ToolCall>, open: readonly ToolCall[]): string[] {
  return [...new Set([...settled.keys(), ...open.map(({ toolCallId }) => toolCallId)])]
}
