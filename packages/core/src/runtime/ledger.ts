import type { Clock } from '../internal/clock.ts'
import { type AgentEvent, type DurableEvent, type Fact, isDurable } from '../kernel/events.ts'
import { fold } from '../kernel/fold.ts'
import { newAgent } from '../kernel/fold-agents.ts'
import { emptyState, type State } from '../kernel/state.ts'
import { envelop } from './envelop.ts'
import type { Journal } from './journal.ts'
import type { Notifier } from './notifier.ts'

/** The log of a session, from the view of one of its agents. */
export interface Ledger {
  readonly state: () => State
  /** The state of the whole session, also for an agent inside a call. */
  readonly session: () => State
  /** How many durable events the session has. */
  readonly head: () => number
  /** Appends a fact. Storage and listeners get it with `complete`. */
  readonly append: (fact: Fact, runId: string | null) => void
  /** Ends a step: what was appended since the last one is stored whole or not at all. */
  readonly complete: () => void
  /** Resolves when everything written so far is stored; never after the storage has failed. */
  readonly stored: () => Promise<void>
  /** The same log for an agent that runs inside a call. */
  readonly of: (agentId: string, parentToolCallId: string) => Ledger
}

/** The ledger of a session's own agent. */
export interface SessionLedger extends Ledger {
  /** Goes on with the state of a stored log. Listeners get the events that are new to them. */
  readonly load: (state: State, news: readonly DurableEvent[]) => void
  /** Adds events that were written elsewhere. */
  readonly replay: (events: readonly AgentEvent[]) => void
  /** From now on the journal stores what is appended; `null`: nothing is stored. */
  readonly storeIn: (journal: Journal | null) => void
  /** Resolves when all events are stored, or after a failure. */
  readonly drained: () => Promise<void>
}

export interface LedgerOptions {
  readonly sessionId: string
  readonly clock: Clock
  readonly notifier: Notifier
}

export function createLedger({ sessionId, clock, notifier }: LedgerOptions): SessionLedger {
  let session = emptyState(sessionId)
  let journal: Journal | null = null

  function scoped(agent: AgentScope | null): Ledger {
    const state = (): State =>
      agent ? (session.agents.get(agent.agentId) ?? newAgent(session, '')).state : session
    return {
      state,
      session: () => session,
      head: () => session.nextSeq,
      append: (fact, runId) => {
        const order = { nextSeq: session.nextSeq, sub: session.sub }
        const origin = { ...agent, ...journal?.causeOf(fact) }
        const event = envelop(fact, state(), { ts: clock.now(), runId, order, origin })
        session = fold(session, event)
        if (isDurable(event)) journal?.add(event)
        notifier.add(event)
      },
      complete: () => {
        journal?.flush()
        notifier.flush()
      },
      stored: () => journal?.stored() ?? Promise.resolve(),
      of: (agentId, parentToolCallId) => scoped({ agentId, parentToolCallId }),
    }
  }

  return {
    ...scoped(null),
    load: (state, news) => {
      session = state
      for (const event of news) notifier.add(event)
      notifier.flush()
    },
    replay: (events) => {
      for (const event of events) {
        session = fold(session, event)
        notifier.add(event)
      }
      notifier.flush()
    },
    storeIn: (given) => {
      journal = given
    },
    drained: () => journal?.drained() ?? Promise.resolve(),
  }
}

interface AgentScope {
  readonly agentId: string
  readonly parentToolCallId: string
}
