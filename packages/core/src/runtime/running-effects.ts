import { abandoned } from '../internal/abort.ts'
import type { Draft } from '../kernel/draft.ts'
import { type Effect, effectKey } from '../kernel/effect.ts'
import type { State } from '../kernel/state.ts'

/** An effect that is running. */
export interface EffectHandle {
  /** Called while the effect is still wanted and its fields have changed, for instance `stop`. */
  readonly update?: (effect: Effect) => void
  /** Called once, when the effect is no longer wanted. Facts that it commits from now on are not written. */
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
  /** Writes what was left to a later task. Afterwards other effects may be wanted. */
  readonly writeDue: () => void
}

/** Runs the wanted effects. Each is started at most once for as long as it is wanted. */
export function createRunningEffects(startEffect: StartEffect, log: EffectsLog): RunningEffects {
  const going = new Map<string, EffectHandle>()
  /** The effects that were wanted last; `null` after a start that threw, when only `going` is reliable. */
  let last: readonly Effect[] | null = []
  let disposed = false

  function start(key: string, effect: Effect): void {
    // A placeholder until `startEffect` returns, because the effect may commit facts before that.
    const starting: EffectHandle = { cancel: () => {} }
    let current = starting
    going.set(key, starting)
    const commit = (...drafts: readonly Draft[]): boolean => {
      log.writeDue()
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

  function cancel(key: string): void {
    const handle = going.get(key)
    going.delete(key)
    handle?.cancel()
  }

  return {
    reconcile: (effects) => {
      const { gone, news } = changesOf(last ?? [], effects)
      const wanted = new Map(news.map((effect) => [effectKey(effect), effect]))
      const known = last ? gone.map(effectKey) : [...going.keys()]
      last = null
      for (const key of known) if (!wanted.has(key)) cancel(key)
      for (const [key, effect] of wanted) {
        // An update or a start may dispose of everything.
        if (disposed) return
        const handle = going.get(key)
        if (handle) handle.update?.(effect)
        else start(key, effect)
      }
      last = effects
    },
    dispose: () => {
      disposed = true
      for (const key of going.keys()) cancel(key)
    },
  }
}

/**
 * The parts in which two lists differ: equal effects at their start and at their end are left out. Mostly one call of
 * many has changed, so little remains.
 */
function changesOf(before: readonly Effect[], after: readonly Effect[]) {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && isSame(before[start], after[start])) start += 1
  let end = 0
  while (end < shorter - start && isSame(before.at(-1 - end), after.at(-1 - end))) end += 1
  return {
    gone: before.slice(start, before.length - end),
    news: after.slice(start, after.length - end),
  }
}

function isSame(a: Effect | undefined, b: Effect | undefined): boolean {
  if (!a || !b) return false
  if (a.type !== 'run_call' || b.type !== 'run_call') return effectKey(a) === effectKey(b)
  // Compares the fields that make up the keys, but builds no texts, because there may be a thousand effects.
  return a.toolCallId === b.toolCallId && a.attempt === b.attempt && a.stop === b.stop
}
