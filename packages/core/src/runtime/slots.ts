import type { Clock } from '../internal/clock.ts'

/** Gives a slot back, now or after the milliseconds that a killed worker may still run. */
export type Release = (options?: { readonly afterMs: number }) => void

/** How many calls may run at once. Waiting is first come, first served. */
export interface Slots {
  /** Resolves with a slot's release; rejects with `signal.reason` if the wait is given up. */
  readonly acquire: (signal: AbortSignal) => Promise<Release>
  /** A slot that nobody waits for, or `null`. */
  readonly takeFree: () => Release | null
  /** Waits for no killed worker any more. */
  readonly dispose: () => void
}

/** For calls that take no slot. */
export const noSlots: Pick<Slots, 'acquire'> = { acquire: async () => () => {} }

/** For a call that has its slot already: giving it back is its own business, even if it was given up meanwhile. */
export function heldSlot(release: Release): Pick<Slots, 'acquire'> {
  return { acquire: async () => release }
}

/** `whenFull`: somebody may be able to give a slot back at once. */
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
      const turn = (): void => {
        signal.removeEventListener('abort', leave)
        resolve(take())
      }
      const leave = (): void => {
        waiting.splice(waiting.indexOf(turn), 1)
        reject(signal.reason)
      }
      waiting.push(turn)
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
