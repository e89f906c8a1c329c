import type { Clock } from '../../internal/clock.ts'
import { setWakingTimer } from '../../internal/waking-timer.ts'

/** More workers at once do not start sooner: each only waits longer for a core. */
const mostAtOnce = 8

/**
 * When no worker got ready for this long, those that start may wait for the network, or hang, so one more may start.
 * After a slow start the limit is twice the time of that start, because then they may all wait for a core.
 */
const leastStallMs = 1000

interface Boot {
  /** Starts the worker. Called once, when it is its turn. */
  readonly start: () => void
  /**
   * Milliseconds that the worker may take to start. They count from its start, and once more from each time that an
   * earlier worker is ready.
   */
  readonly timeoutMs: number
  /** Called when the worker has taken longer. */
  readonly late: () => void
}

/** Starts a few workers at a time: as many as the machine gets ready. */
export interface BootQueue {
  /** Returns the function to call when the worker is ready, has failed, or is not wanted any more. */
  readonly enter: (boot: Boot) => (how: 'ready' | 'gone') => void
}

/** A worker that has been started and is not ready. */
interface Booting {
  readonly startedAt: number
  readonly restartTimer: () => void
  readonly cancelTimer: () => void
}

export function createBootQueue(clock: Clock): BootQueue {
  const waiting = new Set<Boot>()
  /** The workers that are starting, in the order in which they started. */
  const booting = new Map<Boot, Booting>()
  /** How many more than usual may start, because those before them do not get ready. */
  let extra = 0
  let stallMs = leastStallMs
  let cancelStallTimer: (() => void) | null = null

  const startNext = () => {
    if (booting.size === 0) {
      extra = 0
      stallMs = leastStallMs
    }
    for (const next of waiting) {
      if (booting.size >= mostAtOnce + extra) break
      begin(next)
    }
  }
  const watchForStall = () => {
    cancelStallTimer?.()
    cancelStallTimer = waiting.size === 0 ? null : clock.setTimer(stallMs, startOneMore)
  }
  const startOneMore = () => {
    extra += 1
    stallMs *= 2
    startNext()
    watchForStall()
  }
  const begin = (boot: Boot) => {
    waiting.delete(boot)
    const timer = createTimer(clock, boot)
    booting.set(boot, { startedAt: clock.monotonic(), ...timer })
    timer.restartTimer()
    boot.start()
  }
  const noteReady = (boot: Boot) => {
    const all = [...booting]
    const place = all.findIndex(([one]) => one === boot)
    const startedAt = all[place]?.[1].startedAt ?? clock.monotonic()
    stallMs = Math.max(leastStallMs, 2 * (clock.monotonic() - startedAt))
    // An earlier worker had the cores first, so those after it get their whole time once more.
    for (const [, { restartTimer }] of all.slice(place + 1)) restartTimer()
  }

  return {
    enter: (boot) => {
      waiting.add(boot)
      startNext()
      if (!cancelStallTimer) watchForStall()
      return (how) => {
        waiting.delete(boot)
        if (how === 'ready') noteReady(boot)
        booting.get(boot)?.cancelTimer()
        booting.delete(boot)
        startNext()
        watchForStall()
      }
    },
  }
}

function createTimer(clock: Clock, { timeoutMs, late }: Boot): Omit<Booting, 'startedAt'> {
  let cancelTimer = () => {}
  return {
    restartTimer: () => {
      cancelTimer()
      cancelTimer = setWakingTimer(clock, timeoutMs, late)
    },
    cancelTimer: () => cancelTimer(),
  }
}
