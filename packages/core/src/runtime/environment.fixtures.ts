import type { AgentEnvironment } from '../agent/options.ts'
import { pageTurns } from '../internal/environment.ts'
import { portableSha256 } from '../internal/portable-sha256.ts'
import { type FakeClock, fakeClock } from '../testing/fake-clock.ts'
import { settled } from '../testing/settled.ts'

/** An environment in which nothing happens by itself: the test moves the clock and shows frames; ids are counted. */
export interface ManualEnvironment extends AgentEnvironment {
  readonly clock: FakeClock
  /** Shows one animation frame. */
  readonly frame: () => void
  /** How many callbacks wait for a frame. */
  readonly pendingFrames: () => number
}

export function createManualEnvironment(): ManualEnvironment {
  const counts = new Map<string, number>()
  const frames = new Set<() => void>()
  return {
    clock: fakeClock(),
    newId: (prefix) => {
      const count = (counts.get(prefix) ?? 0) + 1
      counts.set(prefix, count)
      return `${prefix}_${count}`
    },
    random: () => 0.5,
    sha256: async (text) => portableSha256(text),
    turns: pageTurns,
    schedule: {
      soon: (callback) => queueMicrotask(callback),
      nextFrame: (callback) => {
        frames.add(callback)
        return () => frames.delete(callback)
      },
    },
    frame: () => {
      const due = [...frames]
      frames.clear()
      for (const callback of due) callback()
    },
    pendingFrames: () => frames.size,
  }
}

/** Lets everything happen that can happen without time passing. */
export const quiet: () => Promise<void> = settled
