import type { Environment } from '../internal/environment.ts'
import type { Decision } from '../kernel/decide.ts'
import type { Draft } from '../kernel/draft.ts'
import type { State } from '../kernel/state.ts'
import type { Perform } from './effects.ts'
import { createEffects } from './effects.ts'
import { completeDraft } from './envelop.ts'
import type { Ledger } from './ledger.ts'
import type { Stopwatch } from './stopwatch.ts'

export interface RuntimeOptions {
  readonly ledger: Ledger
  readonly environment: Environment
  readonly stopwatch: Stopwatch
  /** What follows from a state: the kernel's `decide`, with the settings of this moment. */
  readonly decide: (state: State) => Decision
  readonly perform: Perform
}

export interface Runtime {
  readonly state: () => State
  /** Writes facts as one step and does what follows from them, before it returns. */
  readonly write: (...drafts: readonly Draft[]) => void
  /** Decides anew: something that decisions depend on has changed. */
  readonly refresh: () => void
  /** Resolves when everything written so far is stored; never after the storage has failed. */
  readonly stored: () => Promise<void>
  /** Whether nothing is written any more. */
  readonly isStopped: () => boolean
  /** Gives up every effect. Nothing is written any more. */
  readonly stop: () => void
}

/**
 * Joins the pure kernel with the world: writes facts, folds them, performs the effects that the kernel wants,
 * each at most once. One writer: the facts of an effect count only while the kernel still wants the effect.
 */
export function createRuntime(options: RuntimeOptions): Runtime {
  const { ledger, environment, stopwatch, decide, perform } = options
  const { state, stored } = ledger
  const effects = createEffects(perform, { state, write, stored })
  let settling = false
  let stopped = false

  function write(...drafts: readonly Draft[]): void {
    if (stopped) return
    const before = ledger.head()
    for (const draft of drafts) writeOne(draft, ledger)
    if (settling) return
    // Only durable facts are numbered, and only they can make anything due.
    if (ledger.head() !== before) settle()
    ledger.complete()
  }

  function writeOne(draft: Draft, to: Ledger): void {
    for (const fact of completeDraft(draft, to.state(), { stopwatch, environment })) {
      const isStart = fact.type === 'agent_start'
      stopwatch.note(fact)
      to.append(fact, isStart ? environment.newId('run') : (to.state().run?.runId ?? null))
    }
  }

  // Facts first, until none is due; then the effects. Starting one may write facts at once, so it goes round.
  function settle(): void {
    settling = true
    try {
      for (let before = -1; before !== ledger.head() && !stopped; ) {
        before = ledger.head()
        const { facts, effects: wanted, agentId } = decide(state())
        const to = agentId === undefined ? ledger : ledgerOf(agentId)
        for (const draft of facts) writeOne(draft, to)
        if (facts.length === 0) effects.reconcile(wanted)
      }
    } finally {
      settling = false
    }
  }

  function ledgerOf(agentId: string): Ledger {
    return ledger.of(agentId, state().agents.get(agentId)?.parentToolCallId ?? '')
  }

  return {
    state,
    write,
    refresh: () => {
      if (stopped || settling) return
      settle()
      ledger.complete()
    },
    stored,
    isStopped: () => stopped,
    stop: () => {
      stopped = true
      effects.dispose()
    },
  }
}
