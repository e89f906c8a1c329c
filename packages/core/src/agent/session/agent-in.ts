import type { State } from '../../kernel/state.ts'

/** The state of an agent: that of the session, or of an agent inside a call, while it runs. */
export function agentIn(session: State, agentId: string | undefined): State | undefined {
  return agentId === undefined ? session : session.agents.get(agentId)?.state
}
