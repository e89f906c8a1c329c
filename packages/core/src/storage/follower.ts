import type { DurableEvent } from '../kernel/events.ts'

/** Reads the new events of a session each time it is woken. */
export interface Follower {
  /** Called when there may be new events. */
  readonly wake: () => void
  readonly stop: () => void
}

/**
 * Hands a session's events to a listener in order, each once. `wake` may be called too often, and during a reading.
 * When a reading fails, the next wake reads the same events.
 */
export function createFollower(
  read: (from: number) => Promise<readonly DurableEvent[]>,
  from: number,
  listener: (events: readonly DurableEvent[]) => void,
): Follower {
  let next = from
  let isStopped = false
  let isReading = false
  let isWoken = false

  async function readOn(): Promise<void> {
    isReading = true
    while (isWoken && !isStopped) {
      isWoken = false
      try {
        const events = await read(next)
        if (isStopped || events.length === 0) continue
        next += events.length
        listener(events)
      } catch {
        // This failure is not reported: the owner's next append fails with the reason.
      }
    }
    isReading = false
  }

  const wake = () => {
    isWoken = true
    if (!isReading) void readOn()
  }
  wake()
  return {
    wake,
    stop: () => {
      isStopped = true
    },
  }
}
