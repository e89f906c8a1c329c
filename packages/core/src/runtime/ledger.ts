import type { Clock } from '../internal/clock.ts'
import type { DurableEvent, Fact } from '../kernel/events.ts'
import { isDurable } from '../kernel/events.ts'
import { fold } from '../kernel/fold.ts'
import { newAgent } from '../kernel/fold-agents.ts'
import type { State } from '../kernel/state.ts'
import { emptyState } from '../kernel/state.ts'
import { envelop } from './envelop.ts'
import type { Journal } from './journal.ts'
import type { Notifier } from './notifier.ts'

/** The log of a session, as one agent of it reads and writes it. */
export interface Ledger {
  readonly state: () => State
  /** What the log says of the session as a whole, whoever reads it. */
  readonly session: () => State
  /** How many durable events the session has. */
  readonly head: () => number
  /** Writes a fact. It is stored and told when the step is complete. */
  readonly append: (fact: Fact, runId: string | null) => void
  /** Everything written since the last time was one step: it is stored whole or not at all. */
  readonly complete: () => void
  /** Resolves when everything written so far is stored; never after the storage has failed. */
  readonly stored: () => Promise<void>
  /** The same log for an agent that runs inside a call. */
  readonly of: (agentId: string, parentToolCallId: string) => Ledger
}

/** The ledger of a session's own agent. */
export interface SessionLedger extends Ledger {
  /** Goes on with a log, and stores what comes next. */
  readonly open: (log: readonly DurableEvent[], journal: Journal | null) => void
  /** Resolves when nothing is left to store, or nothing can be stored any more. */
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
        const event = envelop(fact, state(), { ts: clock.now(), runId, order, agent })
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
    open: (log, ownJournal) => {
      for (const event of log) session = fold(session, event)
      journal = ownJournal
    },
    drained: () => journal?.drained() ?? Promise.resolve(),
  }
}

interface AgentScope {
  readonly agentId: string
  readonly parentToolCallId: string
}
