import type { Position, SessionStorage } from '../port.ts'
import { checkPosition } from '../position.ts'
import type { Writing } from './database.ts'
import { createEpochFence, type EpochFence, noClaim } from './epoch-fence.ts'
import type { Ports } from './ports.ts'
import { addTo, positionOf, settle } from './requests.ts'
import type { HandedOver } from './spare-copies.ts'

/** An append whose transaction has begun. */
interface UnderWay {
  readonly head: number
  readonly count: number
  readonly transaction: Writing
  /** Called when the append cannot be stopped any more. */
  readonly confirm: () => void
}

/** Adds events where the log ends, if its owner still owns it. */
export function createAppend({ database, channel, copies }: Ports): SessionStorage['append'] {
  const underWay = new Map<string, UnderWay>()
  /** The position after this page's last append to each session, so that the next one need not read it. */
  const reached = new Map<string, Position>()
  /** The fences by epoch. No two sessions share an epoch. */
  const fences = new Map<number, EpochFence>()

  function fenceOf(epoch: number): EpochFence {
    const fence = fences.get(epoch) ?? createEpochFence(epoch)
    fences.set(epoch, fence)
    return fence
  }

  /**
   * The events, without those of a transaction that is about to complete: adding an event twice would keep the rest
   * from being stored.
   */
  function unfinished(sessionId: string, whole: HandedOver): HandedOver {
    const before = underWay.get(sessionId)
    if (!before || database.putOff(before.transaction)) return whole
    before.confirm()
    const { epoch, head, events } = whole
    if (before.head !== head) return whole
    return { epoch, head: head + before.count, events: events.slice(before.count) }
  }

  /** Hands events to the database before it returns. `undefined`: the database is not open. */
  function handOver(sessionId: string, whole: HandedOver): Promise<void> | undefined {
    copies.keep(sessionId, whole)
    const { epoch, head, events } = unfinished(sessionId, whole)
    if (events.length === 0) return Promise.resolve()
    // The position is not read first, because that needs a task, and a page that is being closed gets none. If there is
    // a gap, the next claim removes the events after it.
    const stored = database.writeNow((now) => {
      const added = addTo(now, sessionId, { head, events })
      const marked = now.objectStore('counters').put(head, [sessionId])
      const { requests, confirm } = fenceOf(epoch).pass(now)
      confirm()
      settle([...added, marked, ...requests])
    })
    return stored?.then(() => copies.drop(sessionId))
  }

  return async (sessionId, position, added) => {
    const { head, epoch } = position
    const handedOver = position.isLast && handOver(sessionId, { head, epoch, events: added })
    if (handedOver) return handedOver
    const write = (isNext: boolean) =>
      database.write(async (transaction) => {
        const begun = { head, count: added.length, transaction }
        underWay.set(sessionId, { ...begun, confirm: () => {} })
        if (!isNext) checkPosition(await positionOf(transaction, sessionId), position)
        const requests = addTo(transaction, sessionId, { head, events: added })
        const fence = fenceOf(epoch)
        const passage = isNext ? fence.pass(transaction) : fence.clear(transaction)
        underWay.set(sessionId, { ...begun, confirm: passage.confirm })
        transaction.commit()
        // Chromium leaves the last request without an answer when it aborts a committed transaction, for instance for
        // lack of space.
        await Promise.all([transaction.done, ...passage.requests, ...requests])
        passage.confirm()
      }, position.durability)
    const before = reached.get(sessionId)
    const isNext = epoch !== noClaim && before?.epoch === epoch && before.head === head
    reached.delete(sessionId)
    try {
      // The second try reads the position, and so says why the append failed.
      await (isNext ? write(true).catch(() => write(false)) : write(false))
    } finally {
      underWay.delete(sessionId)
    }
    reached.set(sessionId, { epoch, head: head + added.length })
    channel.post(sessionId, { kind: 'appended' })
  }
}
