import type { Clock } from '../internal/clock.ts'

/** Gives a slot back, now or after the milliseconds that a terminated worker may still run. */
export type Release = (options?: { readonly afterMs: number }) => void

/** Limits how many calls run at once. Calls wait in order: first come, first served. */
export interface Slots {
  /** Resolves with a slot's release; rejects with `signal.reason` if the signal aborts first. */
  readonly acquire: (signal: AbortSignal) => Promise<Release>
  /** Takes a slot if one is free and no call waits for it; else `null`. */
  readonly takeFree: () => Release | null
  /** Cancels the timers that hold the slots of terminated workers. */
  readonly dispose: () => void
}

/** The slots for calls that take none. */
export const noSlots: Pick<Slots, 'acquire'> = { acquire: async () => () => {} }

/** The slot of a call that holds it already. The call releases it itself, also after it was cancelled. */
export function heldSlot(release: Release): Pick<Slots, 'acquire'> {
  return { acquire: async () => release }
}

/** `whenFull` is called before a call has to wait, and may release a slot. */
export function createSlots(
  limit: () => number,
  clock: Clock,
  whenFull: () => void = () => {},
): Slots {
  const waiting: (() => void)[] = []
  const afterlives = new Set<() => void>()
  let taken = 0
  let disposed = false

  function giveBack(): void {
    taken -= 1
    waiting.shift()?.()
  }

  function giveBackLater(ms: number): void {
    if (disposed) return
    const cancel = clock.setTimer(ms, () => {
      afterlives.delete(cancel)
      giveBack()
    })
    afterlives.add(cancel)
  }

  function take(): Release {
    taken += 1
    let held = true
    return (options) => {
      if (!held) return
      held = false
      if (options) giveBackLater(options.afterMs)
      else giveBack()
    }
  }

  function wait(signal: AbortSignal): Promise<Release> {
    return new Promise((resolve, reject) => {
      const grant = (): void => {
        signal.removeEventListener('abort', leave)
        resolve(take())
      }
      const leave = (): void => {
        waiting.splice(waiting.indexOf(grant), 1)
        reject(signal.reason)
      }
      waiting.push(grant)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  return {
    acquire: async (signal) => {
      signal.throwIfAborted()
      if (taken >= limit()) whenFull()
      return taken < limit() ? take() : wait(signal)
    },
    takeFree: () => (taken < limit() && waiting.length === 0 && !disposed ? take() : null),
    dispose: () => {
      disposed = true
      for (const cancel of afterlives) cancel()
      afterlives.clear()
    },
  }
}
