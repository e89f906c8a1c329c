import type { State } from '../kernel/state.ts'

/**
 * The state without the messages and runs that came before. It is enough to tell whether an event can be the next one, and
 * stays small however long the log is.
 */
export function withoutHistory(state: State): State {
  const { head, lastRun, agents } = state
  return {
    ...state,
    head: head && { ...head, parent: null },
    lastRun: lastRun && { ...lastRun, previous: null },
    ...{ tips: [], summaries: [], summary: null },
    agents: new Map(
      [...agents].map(([id, agent]) => [id, { ...agent, state: withoutHistory(agent.state) }]),
    ),
  }
}
