import { type Agent, type AgentState, AgentUsageError } from '@offthread/core'

/** An agent that shows what another one showed. */
export interface ReplayedAgent {
  readonly agent: Agent
  readonly show: (state: AgentState) => void
}

/** Makes an agent that takes no commands: components that show the one can show the other. */
export function createReplayedAgent(live: Agent, first: AgentState): ReplayedAgent {
  const listeners = new Set<(state: AgentState, previous: AgentState) => void>()
  let shown = first
  const getState = (): AgentState => shown
  const rejected = async (): Promise<never> => refuse()
  return {
    agent: {
      ...live,
      getState,
      isRunning: () => false,
      store: {
        getState,
        getInitialState: live.store.getInitialState,
        subscribe: (listener) => {
          const own: typeof listener = (...states) => listener(...states)
          listeners.add(own)
          return () => listeners.delete(own)
        },
      },
      // What went on in a replay cannot be stopped.
      abort: () => {},
      cancelTool: () => false,
      dispose: () => {},
      ...{ prompt: rejected, continue: rejected, regenerate: rejected },
      ...{
        retryTool: rejected,
        takeOver: rejected,
        addToolResult: rejected,
        redact: rejected,
        respondToApproval: refuse,
      },
      ...{ moveHead: refuse, configure: refuse },
      ...{ steer: refuse, followUp: refuse, clearQueues: refuse },
    },
    show: (state) => {
      const previous = shown
      shown = state
      for (const listener of listeners) listener(state, previous)
    },
  }
}

function refuse(): never {
  throw new AgentUsageError('read_only', 'This is a replay: nothing is done in it. Leave it first.')
}
