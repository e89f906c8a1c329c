import type { Clock } from '../internal/clock.ts'

/** When a snapshot is published. */
export interface PublishSchedule {
  /** Calls back once, in the next microtask. */
  readonly soon: (callback: () => void) => void
  /** Calls back once, with the next animation frame, or by a timer where no frames come. Returns a cancel. */
  readonly nextFrame: (callback: () => void) => () => void
}

const hiddenTabMs = 250

/** The page's own schedule. A hidden tab gets no frames: there, and in Node, a timer stands in. */
export function pageSchedule(clock: Clock): PublishSchedule {
  return {
    soon: (callback) => queueMicrotask(callback),
    nextFrame: (callback) => {
      if (typeof requestAnimationFrame === 'undefined') return clock.setTimer(16, callback)
      // Both a frame and a timer, because the tab may be hidden after the frame was asked for.
      const cancelTimer = clock.setTimer(hiddenTabMs, () => {
        cancelAnimationFrame(frame)
        callback()
      })
      const frame = requestAnimationFrame(() => {
        cancelTimer()
        callback()
      })
      return () => {
        cancelTimer()
        cancelAnimationFrame(frame)
      }
    },
  }
}
