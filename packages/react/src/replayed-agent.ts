import { type Agent, type AgentState, AgentUsageError } from '@offthread/core'
import type { Replay } from '@offthread/core/log'

/** An agent that shows earlier states of another one. */
export interface ReplayedAgent {
  readonly agent: Agent
  readonly show: (moment: Moment) => void
}

/** A moment of a log. */
interface Moment {
  readonly replay: Replay
  readonly position: number
}

/**
 * Makes an agent that takes no commands: components that show the one can show the other. Its log and the bytes of its
 * artifacts are those of the live one: they grow, and what is there does not change.
 */
export function createReplayedAgent(live: Agent, first: Moment): ReplayedAgent {
  const listeners = new Set<(state: AgentState, previous: AgentState) => void>()
  let moment = first
  const stateAt = ({ replay, position }: Moment): AgentState => replay.at(position)
  let shown = stateAt(first)
  const getState = (): AgentState => shown
  const rejected = async (): Promise<never> => refuse()
  return {
    agent: {
      ...live,
      getState,
      getTranscript: () => moment.replay.transcriptAt(moment.position),
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
      // In a replay nothing runs that could be stopped.
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
      ...{ steer: refuse, followUp: refuse, clearQueues: refuse, takeQueued: refuse },
    },
    show: (next) => {
      const previous = shown
      moment = next
      shown = stateAt(next)
      for (const listener of listeners) listener(shown, previous)
    },
  }
}

function refuse(): never {
  throw new AgentUsageError('read_only', 'This is a replay: nothing is done in it. Leave it first.')
}
