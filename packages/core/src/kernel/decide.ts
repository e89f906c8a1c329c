import type { Draft } from './draft.ts'
import { dueFacts } from './due-facts.ts'
import type { Effect } from './effect.ts'
import type { KernelConfig } from './kernel-config.ts'
import type { State } from './state.ts'
import { wantedEffects } from './wanted-effects.ts'

/** What follows from a state: first the facts that are due, and once there are none, the effects that should go on. */
export interface Decision {
  readonly facts: readonly Draft[]
  readonly effects: readonly Effect[]
}

/**
 * What should happen now. Pure: the same state and config always give the same decision, also after a
 * reload, which is why a reload is nothing special.
 *
 * The facts are to be written at once and in order, then the new state is decided again. The effects are the
 * whole set: one that is going on and is not named any more is to be given up.
 */
export function decide(state: State, config: KernelConfig): Decision {
  const facts = dueFacts(state, config)
  return facts.length > 0 ? { facts, effects: [] } : { facts, effects: wantedEffects(state, config) }
}
