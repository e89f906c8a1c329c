import type { Lasting, SessionStorage } from '../../storage/port.ts'
import type { AgentState } from '../../store/agent-state.ts'
import type { SessionPorts } from './ports.ts'

/** How the agent stands to its session, as it shows that. */
export interface ShownStanding {
  /** The agent has a role, with what is in the way of writing; `null`: nothing. */
  readonly take: (access: AgentState['access'], problem: AgentState['storage'] | null) => void
  /** Looks at how long the storage keeps what it has. */
  readonly look: () => void
  /** Asks the platform, once, to keep it for longer. */
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
    // A storage that cannot say it promises no more than before.
    look: () => void update('look').catch(() => {}),
    ask: () => {
      if (wasAsked) return
      wasAsked = true
      if (lasting === 'best-effort') update('ask').catch(() => {})
    },
  }
}
