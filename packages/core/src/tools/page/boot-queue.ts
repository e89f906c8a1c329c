import type { Clock } from '../../internal/clock.ts'

/** More workers at once do not start sooner: each only waits longer for a core. */
const mostAtOnce = 8

/**
 * After these milliseconds a start is not waiting for a core but for the network, or hangs, so another one may start.
 */
const longMs = 1000

/** Starts a few workers at a time. */
export interface BootQueue {
  /**
   * Calls `start` when the worker may start. To be called back when the worker has started, or is not wanted any more.
   */
  readonly enter: (start: () => void) => () => void
}

export function createBootQueue(clock: Clock): BootQueue {
  const waiting = new Set<() => void>()
  let booting = 0

  const startNext = () => {
    const [next] = waiting
    if (booting < mostAtOnce) next?.()
  }
  return {
    enter: (start) => {
      let leave = () => void waiting.delete(begin)
      const begin = () => {
        waiting.delete(begin)
        booting += 1
        const cancelTimer = clock.setTimer(longMs, () => leave())
        leave = () => {
          leave = () => {}
          cancelTimer()
          booting -= 1
          startNext()
        }
        start()
      }
      waiting.add(begin)
      startNext()
      return () => leave()
    },
  }
}
