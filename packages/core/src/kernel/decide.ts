import type { Draft } from './draft.ts'
import { dueFacts } from './due-facts.ts'
import type { Effect } from './effect.ts'
import type { KernelConfig } from './kernel-config.ts'
import { isLost, type State } from './state.ts'
import { wantedEffects } from './wanted-effects.ts'

/** What follows from a state: the facts that are due, and once there are none, the effects that should be running. */
export interface Decision {
  readonly facts: readonly Draft[]
  readonly effects: readonly Effect[]
  /** The sub-agent that the facts are about; absent if they are about the session's own agent. */
  readonly agentId?: string
}

/**
 * What should happen now. Pure: the same state and config always give the same decision, also after a
 * reload, which is why a reload is nothing special.
 *
 * The caller writes the facts in order and decides again. The effects are the complete set: the caller cancels
 * every running effect that is not in it.
 */
export function decide(state: State, config: KernelConfig): Decision {
  const lost = decideLost(state, config)
  if (lost) return lost
  const facts = dueFacts(state, config)
  return facts.length > 0
    ? { facts, effects: [] }
    : { facts, effects: wantedEffects(state, config) }
}

// An agent inside a call decides for itself while its page lives. If the page has gone, this closes what the agent
// left open before anything else happens, innermost agent first.
function decideLost(state: State, config: KernelConfig): Decision | null {
  for (const [agentId, agent] of [...state.agents].reverse()) {
    const { run } = agent.state
    if (!run || !isLost(agent.state, run)) continue
    const facts = dueFacts(agent.state, { ...config, mayPauseForPeople: false })
    if (facts.length > 0) return { facts, effects: [], agentId }
  }
  return null
}
