import type { Writing } from './database.ts'

/**
 * Keeps a writer that was replaced from storing anything, without a look and so without a turn of the page: one that
 * stands still in a transaction keeps every tab from writing. What ends an epoch marks both sides of it. Each append
 * marks one side, and takes away the mark that the one before has left at the other: at an ended epoch it fails, because
 * its side is marked already.
 */
export interface EpochFence {
  /**
   * Must be the last that is requested before a transaction is committed: Firefox stores a committed transaction though
   * requests of it have failed, unless it is the last one.
   */
  readonly pass: (transaction: Writing) => Passage
  /** In place of `pass`, where a look has shown that the epoch has not ended. */
  readonly clear: (transaction: Writing) => Passage
}

interface Passage {
  readonly requests: readonly Promise<unknown>[]
  /** The transaction is stored, or nothing keeps it from that. */
  readonly confirm: () => void
}

/** The fence of a page, which remembers where it has left its mark. */
export function createEpochFence(epoch: number): EpochFence {
  const open = () => ({ requests: [], confirm: () => {} })
  if (epoch === noClaim) return { pass: open, clear: open }
  let marked: Side = 0
  return {
    pass: (transaction) => {
      const side = marked === 0 ? 0.5 : 0
      const counters = transaction.objectStore('counters')
      return {
        requests: [counters.delete(epoch + marked), counters.add(0, epoch + side)],
        confirm: () => {
          marked = side
        },
      }
    },
    clear: (transaction) => {
      const counters = transaction.objectStore('counters')
      return { requests: sides.map((side) => counters.delete(epoch + side)), confirm: () => {} }
    },
  }
}

/** How many claims later a page that was replaced is surely gone. */
const remembered = 1000

export async function endEpoch(transaction: Writing, epoch: number): Promise<void> {
  if (epoch === noClaim) return
  const counters = transaction.objectStore('counters')
  for (const side of sides) await counters.put(0, epoch + side)
  await counters.delete(IDBKeyRange.bound(noClaim, Math.max(noClaim, epoch - remembered)))
}

/** The epoch of a session that was never claimed. It does not end. */
export const noClaim = 0

/** Added to an epoch, a place among the counters. */
type Side = 0 | 0.5
const sides: readonly Side[] = [0, 0.5]
