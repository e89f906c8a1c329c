import type { Lasting, SessionStorage } from '../../storage/port.ts'
import type { AgentState } from '../../store/agent-state.ts'
import type { SessionPorts } from './ports.ts'

/** Shows the role of the agent, and the state of its storage. */
export interface ShownStanding {
  /** Called when the agent takes a role. `problem`: what prevents writing; `null` if nothing does. */
  readonly take: (access: AgentState['access'], problem: AgentState['storage'] | null) => void
  /** Asks the storage how long it keeps its data, and shows that. */
  readonly look: () => void
  /** Asks the platform, once, to keep the data for longer. */
  readonly ask: () => void
}

export function createShownStanding(
  storage: Pick<SessionStorage, 'lasts'>,
  { show }: Pick<SessionPorts, 'show'>,
): ShownStanding {
  let problem: AgentState['storage'] | null = 'opening'
  let lasting: Lasting = 'best-effort'
  let wasAsked = false

  async function update(mode: 'look' | 'ask'): Promise<void> {
    lasting = (await storage.lasts?.(mode)) ?? lasting
    show({ storage: problem ?? lasting })
  }

  return {
    take: (access, given) => {
      problem = given
      show({ access, storage: problem ?? lasting })
    },
    // If the storage cannot say it, what is shown stays as it was.
    look: () => void update('look').catch(() => {}),
    ask: () => {
      if (wasAsked) return
      wasAsked = true
      if (lasting === 'best-effort') update('ask').catch(() => {})
    },
  }
}
