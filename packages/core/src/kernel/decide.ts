import type { Draft } from './draft.ts'
import { dueFacts } from './due-facts.ts'
import type { Effect } from './effect.ts'
import type { KernelConfig } from './kernel-config.ts'
import type { State } from './state.ts'
import { isLost } from './state.ts'
import { wantedEffects } from './wanted-effects.ts'

/** What follows from a state: first the facts that are due, and once there are none, the effects that should go on. */
export interface Decision {
  readonly facts: readonly Draft[]
  readonly effects: readonly Effect[]
  /** The agent inside a call that the facts are about, if they are not about the session's own. */
  readonly agentId?: string
}

/**
 * What should happen now. Pure: the same state and config always give the same decision, also after a
 * reload, which is why a reload is nothing special.
 *
 * The facts are to be written at once and in order, then the new state is decided again. The effects are the
 * whole set: one that is going on and is not named any more is to be given up.
 */
export function decide(state: State, config: KernelConfig): Decision {
  const lost = decideLost(state, config)
  if (lost) return lost
  const facts = dueFacts(state, config)
  return facts.length > 0
    ? { facts, effects: [] }
    : { facts, effects: wantedEffects(state, config) }
}

// An agent inside a call decides for itself as long as its page lives. What an earlier page left of it is closed
// before anything else, the innermost first.
function decideLost(state: State, config: KernelConfig): Decision | null {
  for (const [agentId, agent] of [...state.agents].reverse()) {
    const { run } = agent.state
    if (!run || !isLost(agent.state, run)) continue
    const facts = dueFacts(agent.state, { ...config, mayPauseForPeople: false })
    if (facts.length > 0) return { facts, effects: [], agentId }
  }
  return null
}
