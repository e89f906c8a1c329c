import type { Clock } from '@offthread/core/host'
import { type Frame, type FrameListener, type FrameRecipe, openFrame } from './frame.ts'

/** The frames of a host. Each is used once. */
export interface FrameSupply {
  /** Returns the spare frame, or a new one. */
  readonly take: (listener: FrameListener) => Frame
  /** To be called when the code of a call runs, and when that is over: a spare is made soon after, or then. */
  readonly refill: (when: 'soon' | 'now') => void
  /** Removes the spare. */
  readonly release: () => void
}

export interface FrameSupplyOptions {
  readonly recipe: FrameRecipe
  readonly keep: 'fresh' | 'spare'
  readonly clock: Clock
}

/** Milliseconds before a spare is made, so that it does not compete with the call that just started. */
const refillAfterMs = 50
/** Milliseconds after which a spare is removed: it costs memory. */
const idleMs = 30_000

/** Creates the supply. A spare frame has its workers but no foreign code: it gets that with its call. */
export function createFrameSupply({ recipe, keep, clock }: FrameSupplyOptions): FrameSupply {
  let spare: Spare | null = null
  let cancelRefill: (() => void) | null = null

  function clearRefill(): void {
    cancelRefill?.()
    cancelRefill = null
  }

  function release(): void {
    clearRefill()
    leave()?.frame.close()
  }

  function leave(): Spare | null {
    const left = spare
    spare = null
    left?.cancelTimer()
    if (left) document.removeEventListener('visibilitychange', release)
    return left
  }

  function make(): void {
    clearRefill()
    if (spare || document.hidden) return
    let user: FrameListener | null = null
    const frame = openFrame(recipe, {
      // A spare that fails is removed. The next call gets a new frame, whose failure says why.
      kept: (reached) => (user ? user.kept(reached) : reached.length > 0 && release()),
      failed: (message) => (user ? user.failed(message) : release()),
      message: (line, read) => user?.message(line, read),
    })
    const cancelTimer = clock.setTimer(idleMs, release)
    const hand = (listener: FrameListener): Frame => {
      user = listener
      return frame
    }
    spare = { frame, hand, cancelTimer }
    document.addEventListener('visibilitychange', release)
  }

  return {
    take: (listener) => leave()?.hand(listener) ?? openFrame(recipe, listener),
    refill: (when) => {
      if (keep === 'fresh') return
      if (when === 'soon') cancelRefill ??= clock.setTimer(refillAfterMs, make)
      else if (cancelRefill) make()
    },
    release,
  }
}

interface Spare {
  readonly frame: Frame
  readonly hand: (listener: FrameListener) => Frame
  readonly cancelTimer: () => void
}
