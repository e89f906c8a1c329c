import type { Clock } from '@offthread/core/host'
import { NoAnswer } from './failure-of.ts'
import type { Link } from './link.ts'
import type { Names } from './names.ts'

/**
 * Finds out whether the holder of a claim lives: then it answers, even from a hidden tab, whose timers a browser slows
 * down.
 */
export interface Presence {
  readonly isThere: (holder: string) => Promise<boolean>
  /**
   * Whether two questions in a row had no answer: one is not enough, because a server that has just started has no
   * clients.
   */
  readonly isSurelyGone: (holder: string) => Promise<boolean>
}

/** Milliseconds in which a holder has to answer. */
const answerMs = 3000
/** Milliseconds between two questions. */
const pauseMs = 1000

export function createPresence({
  link,
  names,
  clock,
}: {
  readonly link: Link
  readonly names: Names
  readonly clock: Clock
}): Presence {
  const isThere = (holder: string): Promise<boolean> =>
    link.insist(async () => {
      try {
        await link.ask({ subject: names.holder(holder), data: '', patienceMs: answerMs })
        return true
      } catch (error) {
        // A connection that is cut says nothing about the holder.
        if (error instanceof NoAnswer && error.why !== 'cut') return false
        throw error
      }
    })
  return {
    isThere,
    isSurelyGone: async (holder) => {
      if (await isThere(holder)) return false
      await new Promise<void>((resolve) => clock.setTimer(pauseMs, resolve))
      return !(await isThere(holder))
    },
  }
}
