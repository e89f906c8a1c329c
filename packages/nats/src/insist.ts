import type { Clock } from '@offthread/core/host'
import type { Cuts } from './cuts.ts'
import { failureOf, NoAnswer } from './failure-of.ts'

/** Does work again as long as no answer comes, for a limited time. */
export type Insist = <Outcome>(work: (attempt: number) => Promise<Outcome>) => Promise<Outcome>

/** Milliseconds after which work is not tried again: less than an agent waits for its storage. */
const patienceMs = 9000
/** Milliseconds between two tries. */
const pauseMs = 100

interface InsistPorts extends Pick<Cuts, 'isCut' | 'watch'> {
  /** Aborted when no answer can come any more. */
  readonly ended: AbortSignal
}

export function createInsist({ isCut, watch, ended }: InsistPorts, clock: Clock): Insist {
  /** Resolves when the connection is back, or ended, or after a while. */
  function untilWorthATry(left: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clear()
        stop()
        ended.removeEventListener('abort', done)
        resolve()
      }
      ended.addEventListener('abort', done)
      const clear = clock.setTimer(isCut() ? left : Math.min(left, pauseMs), done)
      const stop = watch({ onReturn: done })
    })
  }

  return async (work) => {
    const startedAt = clock.monotonic()
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await work(attempt)
      } catch (error) {
        const left = startedAt + patienceMs - clock.monotonic()
        if (!(error instanceof NoAnswer) || left <= 0) throw failureOf(error)
        if (!ended.aborted) await untilWorthATry(left)
        ended.throwIfAborted()
      }
    }
  }
}
