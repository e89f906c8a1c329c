import type { Environment } from '../internal/environment.ts'
import type { Decision } from '../kernel/decide.ts'
import type { Draft } from '../kernel/draft.ts'
import type { Fact } from '../kernel/events.ts'
import { isLost, type State } from '../kernel/state.ts'
import { completeDraft } from './envelop.ts'
import type { Ledger } from './ledger.ts'
import { createRunningEffects, type StartEffect } from './running-effects.ts'
import type { Stopwatch } from './stopwatch.ts'

export interface RuntimeOptions {
  readonly ledger: Ledger
  readonly environment: Environment
  readonly stopwatch: Stopwatch
  /** The decision about a state: the kernel's `decide`, with the settings of this moment. */
  readonly decide: (state: State) => Decision
  readonly startEffect: StartEffect
}

export interface Runtime {
  /** The state of the log, after all facts that are due have been written. */
  readonly state: () => State
  /**
   * Writes facts as one step and does what follows from them, before it returns. What follows from very many calls is done
   * in several tasks, but before anything else that is asked of the runtime.
   */
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
  const { stored } = ledger
  const { turns } = options.environment
  // Writes the facts that were left to later tasks before a command or an effect goes on. Only code that reads the
  // ledger itself sees the log without them.
  const writeDue = (): void => void (hasMore && goOn())
  const createEffects = () => createRunningEffects(startEffect, { state, write, stored, writeDue })
  let effects = createEffects()
  let isDeciding = false
  /** Whether due facts were left to the next task. */
  let hasMore = false
  let stopped = false

  function state(): State {
    writeDue()
    return ledger.state()
  }

  function write(...drafts: readonly Draft[]): void {
    writeDue()
    if (stopped) return
    const before = ledger.head()
    for (const draft of drafts) writeDraft(draft, ledger, options)
    if (isDeciding) return
    // Only durable facts are numbered, and only they can make anything due.
    if (ledger.head() !== before) decideUntilRest(before + turns.mostFacts)
    ledger.complete()
  }

  function goOn(most = Infinity): void {
    hasMore = false
    decideUntilRest(most)
    ledger.complete()
  }

  function goOnLater(): void {
    hasMore = true
    void turns.next().then(() => hasMore && goOn(ledger.head() + turns.mostFacts))
  }

  // Writes the due facts until there are none, then starts the effects. An effect may commit facts while it starts,
  // so the loop repeats.
  function decideUntilRest(most: number): void {
    isDeciding = true
    try {
      for (let before = -1; before !== ledger.head() && !stopped; ) {
        before = ledger.head()
        const { facts, effects: wanted, agentId } = decide(ledger.state())
        for (const draft of facts) writeDraft(draft, ledgerOf(agentId, ledger), options)
        if (facts.length === 0) effects.reconcile(wanted)
        else if (ledger.head() >= most && mayWait(ledger.state())) return void goOnLater()
      }
    } finally {
      isDeciding = false
    }
  }

  return {
    ...{ state, write, stored, isStopped: () => stopped },
    refresh: () => void (!stopped && !isDeciding && goOn()),
    stop: () => {
      stopped = true
      hasMore = false
      effects.dispose()
    },
    restart: () => {
      stopped = false
      effects = createEffects()
    },
  }
}

function ledgerOf(agentId: string | undefined, ledger: Ledger): Ledger {
  if (agentId === undefined) return ledger
  return ledger.of(agentId, ledger.state().agents.get(agentId)?.parentToolCallId ?? '')
}

/**
 * Whether due facts may be left to a later task. The facts that follow from the calls of an answer may, because they
 * end no effect that goes on. After a stop and in a recovery only the results may, when all calls have ended.
 */
function mayWait(state: State): boolean {
  const { batch, run } = state
  if (batch?.toolMessages) return true
  return batch !== null && run !== null && !run.abort && !isLost(state, run)
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
