import type { Writing } from './database.ts'

/**
 * Keeps a writer that was replaced from storing anything, without reading first: a page that stood still between
 * reading and writing would keep every tab from writing. An epoch has two sides. Each append adds a mark on one side,
 * and removes the mark of the append before on the other. The end of an epoch marks both sides, so a later append
 * fails, because its side is marked already.
 */
export interface EpochFence {
  /**
   * Must be the last request before a transaction is committed: Firefox stores a committed transaction though requests
   * of it have failed, unless it is the last one.
   */
  readonly pass: (transaction: Writing) => Passage
  /** As `pass`, for when reading has shown that the epoch has not ended. */
  readonly clear: (transaction: Writing) => Passage
}

interface Passage {
  readonly requests: readonly Promise<unknown>[]
  /** Called when the transaction is stored, or certain to be. */
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

/** An epoch plus its side is a key of the store `counters`. */
type Side = 0 | 0.5
const sides: readonly Side[] = [0, 0.5]
