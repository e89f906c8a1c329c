import type { Claim } from '../../storage/port.ts'
import type { Fates } from './owner.ts'

/** Counts how often in a row this agent lost the session before its opening was stored. */
export interface Losses {
  /** The callbacks of an owner with this claim, wrapped so that a loss is counted. */
  readonly counted: (claim: Pick<Claim, 'epoch'>, fates: Omit<Fates, 'onOpened'>) => Fates
  /** Milliseconds to wait before the next claim. */
  readonly pauseMs: () => number
}

/** Longer than most machines take to store an opening. */
const stepMs = 50

/**
 * Where pages do not see each other's locks, each takes the session from the one before. If several do so at the same
 * time none of them gets to store its opening, so each waits longer every time, and no two for as long.
 */
export function createLosses(): Losses {
  let count = 0
  let lastEpoch = 0
  return {
    counted: ({ epoch }, { onTaken, onFailure }) => {
      let isOpen = false
      return {
        onOpened: () => {
          isOpen = true
        },
        onTaken: (divergence) => {
          count = isOpen ? 0 : count + 1
          lastEpoch = epoch
          onTaken(divergence)
        },
        onFailure,
      }
    },
    pauseMs: () => count * stepMs * (1 + (lastEpoch % 7)),
  }
}
