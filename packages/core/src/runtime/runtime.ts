import type { Environment } from '../internal/environment.ts'
import { decide } from '../kernel/decide.ts'
import type { Draft } from '../kernel/draft.ts'
import type { DurableEvent } from '../kernel/events.ts'
import { isDurable } from '../kernel/events.ts'
import { fold } from '../kernel/fold.ts'
import type { KernelConfig } from '../kernel/kernel-config.ts'
import type { State } from '../kernel/state.ts'
import { emptyState } from '../kernel/state.ts'
import type { Perform } from './effects.ts'
import { createEffects } from './effects.ts'
import { completeDraft, envelop } from './envelop.ts'
import type { Journal } from './journal.ts'
import type { Notifier } from './notifier.ts'
import type { Stopwatch } from './stopwatch.ts'

export interface RuntimeOptions {
  readonly sessionId: string
  readonly environment: Environment
  readonly stopwatch: Stopwatch
  readonly config: () => KernelConfig
  readonly perform: Perform
  readonly notifier: Notifier
}

export interface Runtime {
  readonly state: () => State
  /** Goes on with a log, and stores what comes next. Writes nothing by itself. */
  readonly open: (log: readonly DurableEvent[], journal: Journal | null) => void
  /** Writes facts as one step and does what follows from them, before it returns. */
  readonly write: (...drafts: readonly Draft[]) => void
  /** Decides anew: something that decisions depend on has changed. */
  readonly refresh: () => void
  /** Resolves when everything written so far is stored; never after the storage has failed. */
  readonly stored: () => Promise<void>
  /** Gives up every effect. Nothing is written any more. */
  readonly stop: () => void
}

/**
 * Joins the pure kernel with the world: writes facts, folds them, performs the effects that the kernel wants,
 * each at most once. One writer: the facts of an effect count only while the kernel still wants the effect.
 */
export function createRuntime(options: RuntimeOptions): Runtime {
  const { environment, stopwatch, config, perform, notifier } = options
  const stored = (): Promise<void> => journal?.stored() ?? Promise.resolve()
  const effects = createEffects(perform, { state: () => state, write, stored })
  let state = emptyState(options.sessionId)
  let journal: Journal | null = null
  let settling = false
  let stopped = false

  function write(...drafts: readonly Draft[]): void {
    if (stopped) return
    const before = state.nextSeq
    for (const draft of drafts) writeOne(draft)
    if (settling) return
    // Only durable facts are numbered, and only they can make anything due.
    if (state.nextSeq !== before) settle()
    complete()
  }

  function refresh(): void {
    if (stopped || settling) return
    settle()
    complete()
  }

  // A step is one append: it is stored whole or not at all.
  function complete(): void {
    journal?.flush()
    notifier.flush()
  }

  function writeOne(draft: Draft): void {
    for (const fact of completeDraft(draft, state, { stopwatch, environment })) {
      const runId =
        fact.type === 'agent_start' ? environment.newId('run') : (state.run?.runId ?? null)
      const event = envelop(fact, state, { ts: environment.clock.now(), runId })
      stopwatch.note(fact)
      state = fold(state, event)
      if (isDurable(event)) journal?.add(event)
      notifier.add(event)
    }
  }

  // Facts first, until none is due; then the effects. Starting one may write facts at once, so it goes round.
  function settle(): void {
    settling = true
    try {
      for (let before = -1; before !== state.nextSeq && !stopped; ) {
        before = state.nextSeq
        const decision = decide(state, config())
        for (const draft of decision.facts) writeOne(draft)
        if (decision.facts.length === 0) effects.reconcile(decision.effects)
      }
    } finally {
      settling = false
    }
  }

  return {
    state: () => state,
    open: (log, ownJournal) => {
      for (const event of log) state = fold(state, event)
      journal = ownJournal
    },
    write,
    refresh,
    stored,
    stop: () => {
      stopped = true
      effects.dispose()
    },
  }
}
