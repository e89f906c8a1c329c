import type { AgentEvent } from '../../packages/core/src/kernel/events.ts'
import type { State } from '../../packages/core/src/kernel/state.ts'

type Fold = (state: State, event: AgentEvent) => State

/** What the wrapper does with a state: nothing, rebuild its last event, or rebuild all of it. */
export const refolding: { of: 'none' | 'event' | 'state' } = { of: 'none' }

/** The serialised log behind a state, from the state it started with. */
interface Written {
  readonly first: State
  readonly texts: readonly string[]
}

/**
 * Wraps `fold`: after every event the state is rebuilt from the whole serialised log. The content of a state must
 * not depend on the order in which it was computed, nor on who else holds its parts.
 */
export function createRefold(fold: Fold): Fold {
  const logs = new WeakMap<State, Written>()
  return (state, event) => {
    if (refolding.of === 'none') return fold(state, event)
    const known = refolding.of === 'state' ? logs.get(state) : undefined
    const { first, texts: before } = known ?? { first: state, texts: [] }
    const texts = [...before, JSON.stringify(event)]
    const next = texts.reduce((made, text) => fold(made, JSON.parse(text) as AgentEvent), first)
    logs.set(next, { first, texts })
    return next
  }
}
