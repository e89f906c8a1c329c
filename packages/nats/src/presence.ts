import type { Clock } from '@offthread/core/host'
import { NoAnswer } from './failure-of.ts'
import type { Link } from './link.ts'
import type { Names } from './names.ts'

/** Whether the holder of a claim lives: it answers, also from a hidden tab, whose timers a browser slows down. */
export interface Presence {
  readonly isThere: (holder: string) => Promise<boolean>
  /** Two questions in a row had no answer: a server that starts again has no clients for a moment. */
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
        // A connection that is cut says nothing of the holder.
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
