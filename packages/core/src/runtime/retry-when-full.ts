import type { Clock } from '../internal/clock.ts'
import { isKind } from '../storage/port.ts'

/** Milliseconds after which a storage without space is tried again. */
export const fullPauseMs = 2000

/** Repeats work for which the storage has no space, until it has. */
export interface Space {
  /** Does the work, and repeats it as long as there is no space for it. Resolves with its outcome. */
  readonly await: <Outcome>(work: () => Promise<Outcome>) => Promise<Outcome>
  /** From now on work that finds no space fails after one last try. */
  readonly stopWaiting: () => void
}

/** `onFull` is called when there is no space, and when there is some again. */
export function createSpace(clock: Clock, onFull: (isFull: boolean) => void): Space {
  let isOver = false
  let wake = () => {}

  const pause = () =>
    new Promise<void>((resolve) => {
      const clear = clock.setTimer(fullPauseMs, resolve)
      wake = () => {
        clear()
        resolve()
      }
    })

  return {
    await: async (work) => {
      for (let wasFull = false; ; wasFull = true) {
        try {
          const outcome = await work()
          if (wasFull) onFull(false)
          return outcome
        } catch (error) {
          if (isOver || !isKind(error, 'full')) throw error
          if (!wasFull) onFull(true)
          await pause()
        }
      }
    },
    stopWaiting: () => {
      isOver = true
      wake()
    },
  }
}
