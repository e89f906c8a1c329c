import type { Environment } from '../internal/environment.ts'
import type { Decision } from '../kernel/decide.ts'
import type { Draft } from '../kernel/draft.ts'
import type { Fact } from '../kernel/events.ts'
import type { State } from '../kernel/state.ts'
import { completeDraft } from './envelop.ts'
import type { Ledger } from './ledger.ts'
import { createRunningEffects, type StartEffect } from './running-effects.ts'
import type { Stopwatch } from './stopwatch.ts'

export interface RuntimeOptions {
  readonly ledger: Ledger
  readonly environment: Environment
  readonly stopwatch: Stopwatch
  /** What follows from a state: the kernel's `decide`, with the settings of this moment. */
  readonly decide: (state: State) => Decision
  readonly startEffect: StartEffect
}

export interface Runtime {
  readonly state: () => State
  /** Writes facts as one step and does what follows from them, before it returns. */
  readonly write: (...drafts: readonly Draft[]) => void
  /** Decides again. Call it when something that `decide` depends on has changed without a fact. */
  readonly refresh: () => void
  /** Resolves when everything written so far is stored; never after the storage has failed. */
  readonly stored: () => Promise<void>
  readonly isStopped: () => boolean
  /** Cancels every effect. Later writes do nothing. */
  readonly stop: () => void
  /** Writes again, after a stop. */
  readonly restart: () => void
}

/**
 * Joins the pure kernel with the world: writes facts, folds them, and runs the wanted effects, each at
 * most once. There is one writer: the facts of an effect count only while the effect is wanted.
 */
export function createRuntime(options: RuntimeOptions): Runtime {
  const { ledger, decide, startEffect } = options
  const { state, stored } = ledger
  const createEffects = () => createRunningEffects(startEffect, { state, write, stored })
  let effects = createEffects()
  let isDeciding = false
  let stopped = false

  function write(...drafts: readonly Draft[]): void {
    if (stopped) return
    const before = ledger.head()
    for (const draft of drafts) writeDraft(draft, ledger, options)
    if (isDeciding) return
    // Only durable facts are numbered, and only they can make anything due.
    if (ledger.head() !== before) decideUntilRest()
    ledger.complete()
  }

  // Writes the due facts until there are none, then starts the effects. An effect may commit facts while it starts,
  // so the loop repeats.
  function decideUntilRest(): void {
    isDeciding = true
    try {
      for (let before = -1; before !== ledger.head() && !stopped; ) {
        before = ledger.head()
        const { facts, effects: wanted, agentId } = decide(state())
        const to = agentId === undefined ? ledger : ledgerOf(agentId)
        for (const draft of facts) writeDraft(draft, to, options)
        if (facts.length === 0) effects.reconcile(wanted)
      }
    } finally {
      isDeciding = false
    }
  }

  function ledgerOf(agentId: string): Ledger {
    return ledger.of(agentId, state().agents.get(agentId)?.parentToolCallId ?? '')
  }

  return {
    state,
    write,
    refresh: () => {
      if (stopped || isDeciding) return
      decideUntilRest()
      ledger.complete()
    },
    stored,
    isStopped: () => stopped,
    stop: () => {
      stopped = true
      effects.dispose()
    },
    restart: () => {
      stopped = false
      effects = createEffects()
    },
  }
}

type Completion = Pick<RuntimeOptions, 'environment' | 'stopwatch'>

function writeDraft(draft: Draft, ledger: Ledger, completion: Completion): void {
  const { environment, stopwatch } = completion
  if (draft.type !== 'whole_message') {
    append(completeDraft(draft, stopwatch, environment), ledger, completion)
    return
  }
  const parentId = ledger.state().head?.message.id ?? null
  const message = { ...draft.message, id: environment.newId('msg'), parentId }
  append({ type: 'message_start', message }, ledger, completion)
  append({ type: 'message_end', message }, ledger, completion)
}

function append(fact: Fact, ledger: Ledger, { environment, stopwatch }: Completion): void {
  const isStart = fact.type === 'agent_start'
  stopwatch.note(fact)
  ledger.append(fact, isStart ? environment.newId('run') : (ledger.state().run?.runId ?? null))
}
