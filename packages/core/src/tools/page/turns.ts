import type { Clock } from '../../internal/clock.ts'
import { soon } from './soon.ts'

/** Does work in its order: at once, or while the page is behind one piece of it in a task. */
export interface Turns {
  readonly take: (work: () => void) => void
  /** Drops what waits. */
  readonly clear: () => void
}

/**
 * While the page is behind, it first takes all that has arrived, which costs it little, and then looks at it. So a worker
 * that floods the page is found out before much of its flood is read.
 */
export function createTurns(clock: Clock, isBehind: () => boolean): Turns {
  let waiting: (() => void)[] = []
  let cancelTimer: (() => void) | undefined

  const next = () => {
    cancelTimer = undefined
    do waiting.shift()?.()
    while (waiting.length > 0 && !isBehind())
    if (waiting.length > 0) wait()
  }
  const wait = () => {
    cancelTimer ??= soon(clock, next)
  }
  return {
    take: (work) => {
      if (waiting.length === 0 && !isBehind()) return work()
      waiting.push(work)
      wait()
    },
    clear: () => {
      waiting = []
      cancelTimer?.()
    },
  }
}
