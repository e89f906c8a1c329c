import type { Draft } from '../kernel/draft.ts'
import type { Effect } from '../kernel/effect.ts'
import { effectKey } from '../kernel/effect.ts'
import type { State } from '../kernel/state.ts'

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
  /** Resolves when everything written so far is stored; never after the storage has failed. */
  readonly stored: () => Promise<void>
}

export type Perform = (effect: Effect, scope: EffectScope) => Performance

export interface Effects {
  /** Starts what is wanted and not going on, gives up what is going on and not wanted. */
  readonly reconcile: (wanted: readonly Effect[]) => void
  /** Gives up everything, and starts nothing any more. */
  readonly dispose: () => void
}

export interface EffectsLog {
  readonly state: () => State
  readonly write: (...drafts: readonly Draft[]) => void
  readonly stored: () => Promise<void>
}

/** The effects that are going on. Each is performed at most once for as long as it is wanted. */
export function createEffects(perform: Perform, log: EffectsLog): Effects {
  const going = new Map<string, Performance>()
  let disposed = false

  function start(key: string, effect: Effect): void {
    // Stands for the effect until `perform` has returned: it may write facts before.
    const starting: Performance = { update: () => {}, giveUp: () => {} }
    let current = starting
    going.set(key, starting)
    const commit = (...drafts: readonly Draft[]): boolean => {
      if (going.get(key) !== current) return false
      log.write(...drafts)
      return true
    }
    const performance = performed(key, () =>
      perform(effect, { state: log.state, commit, stored: log.stored }),
    )
    if (going.get(key) === starting) {
      current = performance
      going.set(key, performance)
    } else {
      performance.giveUp()
    }
  }

  // What cannot even begin is not going on.
  function performed(key: string, begin: () => Performance): Performance {
    try {
      return begin()
    } catch (error) {
      going.delete(key)
      throw error
    }
  }

  function giveUp(key: string, performance: Performance): void {
    going.delete(key)
    performance.giveUp()
  }

  return {
    reconcile: (effects) => {
      const wanted = new Map(effects.map((effect) => [effectKey(effect), effect]))
      for (const [key, performance] of going) if (!wanted.has(key)) giveUp(key, performance)
      for (const [key, effect] of wanted) {
        // What is updated or started may dispose of everything.
        if (disposed) return
        const performance = going.get(key)
        if (performance) performance.update(effect)
        else start(key, effect)
      }
    },
    dispose: () => {
      disposed = true
      for (const [key, performance] of going) giveUp(key, performance)
    },
  }
}
