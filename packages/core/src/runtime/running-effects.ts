import { abandoned } from '../internal/abort.ts'
import type { Draft } from '../kernel/draft.ts'
import { type Effect, effectKey } from '../kernel/effect.ts'
import type { State } from '../kernel/state.ts'

/** An effect that is running. */
export interface EffectHandle {
  /** Called while the kernel still wants the effect: its fields may have changed, for instance `stop`. */
  readonly update?: (effect: Effect) => void
  /** Called once, when the kernel no longer wants the effect. Facts that it commits from now on are not written. */
  readonly cancel: () => void
}

/** What an effect reads from the log and writes to it. */
export interface EffectScope {
  readonly state: () => State
  /** Writes the facts if the effect is still wanted at this moment; says whether it was. */
  readonly commit: (...drafts: readonly Draft[]) => boolean
  /** Resolves when everything written so far is stored; never after the storage has failed. */
  readonly stored: () => Promise<void>
}

export type StartEffect = (effect: Effect, scope: EffectScope) => EffectHandle

/** A handle for an effect that runs by itself until its signal aborts. */
export function runUntilCancelled(run: (signal: AbortSignal) => Promise<void>): EffectHandle {
  const controller = new AbortController()
  void run(controller.signal)
  return { cancel: () => controller.abort(abandoned) }
}

export interface RunningEffects {
  /** Starts the wanted effects that are not running, and cancels the running ones that are not wanted. */
  readonly reconcile: (wanted: readonly Effect[]) => void
  /** Cancels every effect. Later calls of `reconcile` start nothing. */
  readonly dispose: () => void
}

export interface EffectsLog {
  readonly state: () => State
  readonly write: (...drafts: readonly Draft[]) => void
  readonly stored: () => Promise<void>
}

/** Runs the effects that the kernel wants. Each is started at most once for as long as it is wanted. */
export function createRunningEffects(startEffect: StartEffect, log: EffectsLog): RunningEffects {
  const going = new Map<string, EffectHandle>()
  let disposed = false

  function start(key: string, effect: Effect): void {
    // Holds the place until `startEffect` returns, because the effect may commit facts before that.
    const starting: EffectHandle = { cancel: () => {} }
    let current = starting
    going.set(key, starting)
    const commit = (...drafts: readonly Draft[]): boolean => {
      if (going.get(key) !== current) return false
      log.write(...drafts)
      return true
    }
    const handle = started(key, () =>
      startEffect(effect, { state: log.state, commit, stored: log.stored }),
    )
    if (going.get(key) === starting) {
      current = handle
      going.set(key, handle)
    } else {
      handle.cancel()
    }
  }

  // An effect whose start throws is not running.
  function started(key: string, begin: () => EffectHandle): EffectHandle {
    try {
      return begin()
    } catch (error) {
      going.delete(key)
      throw error
    }
  }

  function cancel(key: string, handle: EffectHandle): void {
    going.delete(key)
    handle.cancel()
  }

  return {
    reconcile: (effects) => {
      const wanted = new Map(effects.map((effect) => [effectKey(effect), effect]))
      for (const [key, handle] of going) if (!wanted.has(key)) cancel(key, handle)
      for (const [key, effect] of wanted) {
        // An update or a start may dispose of everything.
        if (disposed) return
        const handle = going.get(key)
        if (handle) handle.update?.(effect)
        else start(key, effect)
      }
    },
    dispose: () => {
      disposed = true
      for (const [key, handle] of going) cancel(key, handle)
    },
  }
}
