import type { Claim } from '../../storage/port.ts'

/** How often in a row the session was lost before anything was stored of its opening. */
export interface Losses {
  /** Another claim. Returns what is called when its opening is stored. */
  readonly begin: (claim: Pick<Claim, 'epoch'>) => () => void
  /** The claim was replaced. */
  readonly end: () => void
  /** Milliseconds to wait before the next one. */
  readonly pauseMs: () => number
}

/** Longer than a storage takes for an opening, on most machines. */
const stepMs = 50

/**
 * Where pages do not know of each other's locks, each takes the session from the one before. If several do so at the same
 * time none of them gets to store its opening, so each waits longer every time, and no two for as long.
 */
export function createLosses(): Losses {
  let count = 0
  let epoch = 0
  let isStored = false
  return {
    begin: (claim) => {
      epoch = claim.epoch
      isStored = false
      return () => {
        if (claim.epoch === epoch) isStored = true
      }
    },
    end: () => {
      count = isStored ? 0 : count + 1
    },
    pauseMs: () => count * stepMs * (1 + (epoch % 7)),
  }
}
