import type { Environment } from '../internal/environment.ts'
import { decide } from '../kernel/decide.ts'
import type { Draft } from '../kernel/draft.ts'
import type { Effect } from '../kernel/effect.ts'
import { effectKey } from '../kernel/effect.ts'
import { fold } from '../kernel/fold.ts'
import type { KernelConfig } from '../kernel/kernel-config.ts'
import type { State } from '../kernel/state.ts'
import { emptyState } from '../kernel/state.ts'
import { completeDraft, envelop } from './envelop.ts'
import type { Notifier } from './notifier.ts'
import { createStopwatch } from './stopwatch.ts'

/** An effect that is going on. */
export interface Performance {
  /** The effect is still wanted, perhaps with other wishes. */
  readonly update: (effect: Effect) => void
  /** The effect is not wanted any more: whatever it still says is not written. */
  readonly giveUp: () => void
}

/** How an effect speaks to the log. */
export interface EffectScope {
  readonly state: () => State
  /** Writes the facts if the effect is still wanted at this moment; says whether it was. */
  readonly commit: (...drafts: readonly Draft[]) => boolean
}

export type Perform = (effect: Effect, scope: EffectScope) => Performance

export interface RuntimeOptions {
  readonly sessionId: string
  readonly environment: Environment
  readonly config: () => KernelConfig
  readonly perform: Perform
  readonly notifier: Notifier
}

export interface Runtime {
  readonly state: () => State
  /** Writes facts as one step and does what follows from them, before it returns. */
  readonly write: (...drafts: readonly Draft[]) => void
  /** Gives up every effect. Nothing is written any more. */
  readonly dispose: () => void
}

/**
 * Joins the pure kernel with the world: writes facts, folds them, performs the effects that the kernel wants,
 * each at most once. One writer: the facts of an effect count only while the kernel still wants the effect.
 */
export function createRuntime(options: RuntimeOptions): Runtime {
  const { environment, config, perform, notifier } = options
  const stopwatch = createStopwatch(environment.clock)
  const going = new Map<string, Performance>()
  let state = emptyState(options.sessionId)
  let settling = false
  let disposed = false

  function write(...drafts: readonly Draft[]): void {
    if (disposed) return
    for (const draft of drafts) writeOne(draft)
    if (settling) return
    settle()
    notifier.flush()
  }

  function writeOne(draft: Draft): void {
    for (const fact of completeDraft(draft, state, { stopwatch, environment })) {
      const runId =
        fact.type === 'agent_start' ? environment.newId('run') : (state.run?.runId ?? null)
      const event = envelop(fact, state, { ts: environment.clock.now(), runId })
      stopwatch.note(fact)
      state = fold(state, event)
      notifier.add(event)
    }
  }

  // Facts first, until none is due; then the effects. Starting one may write facts at once, so it goes round.
  function settle(): void {
    settling = true
    for (let before: State | null = null; before !== state; ) {
      before = state
      const { facts, effects } = decide(state, config())
      for (const draft of facts) writeOne(draft)
      if (facts.length === 0) reconcile(effects)
    }
    settling = false
  }

  function reconcile(effects: readonly Effect[]): void {
    const wanted = new Map(effects.map((effect) => [effectKey(effect), effect]))
    for (const [key, performance] of going) {
      if (wanted.has(key)) continue
      going.delete(key)
      performance.giveUp()
    }
    for (const [key, effect] of wanted) {
      const performance = going.get(key)
      if (performance) performance.update(effect)
      else start(key, effect)
    }
  }

  function start(key: string, effect: Effect): void {
    // Until the performance is known, the effect itself stands for it.
    const starting: Performance = { update: () => {}, giveUp: () => {} }
    let current = starting
    going.set(key, starting)
    const commit = (...drafts: readonly Draft[]): boolean => {
      if (disposed || going.get(key) !== current) return false
      write(...drafts)
      return true
    }
    const performance = perform(effect, { state: () => state, commit })
    if (going.get(key) === starting) {
      current = performance
      going.set(key, performance)
    } else {
      performance.giveUp()
    }
  }

  return {
    state: () => state,
    write,
    dispose: () => {
      disposed = true
      for (const performance of going.values()) performance.giveUp()
      going.clear()
    },
  }
}
