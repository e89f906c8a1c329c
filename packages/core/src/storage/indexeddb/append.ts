import type { Position, SessionStorage } from '../port.ts'
import { checkPosition } from '../position.ts'
import type { Writing } from './database.ts'
import type { Ports } from './ports.ts'
import { addTo, positionOf, requireEpoch, settle } from './requests.ts'
import type { HandedOver } from './spare-copies.ts'

/** An append whose transaction has begun. */
interface UnderWay {
  readonly head: number
  readonly count: number
  readonly transaction: Writing
}

/** Adds events where the log ends, if its owner still owns it. */
export function createAppend({ database, channel, copies }: Ports): SessionStorage['append'] {
  const underWay = new Map<string, UnderWay>()
  /**
   * Where this page's last append ended. The next one goes on there without a look, and so without a turn of the page: one
   * that stands still in a transaction keeps every tab from writing.
   */
  const reached = new Map<string, Position>()

  /** What of the events is not about to be complete: added twice, it would keep the rest from being stored. */
  function unfinished(sessionId: string, { epoch, head, events }: HandedOver): HandedOver {
    const before = underWay.get(sessionId)
    if (before?.head !== head || database.putOff(before.transaction)) return { epoch, head, events }
    return { epoch, head: head + before.count, events: events.slice(before.count) }
  }

  /** `undefined`: the database is not open. */
  function handOver(sessionId: string, whole: HandedOver): Promise<void> | undefined {
    copies.keep(sessionId, whole)
    const { epoch, head, events } = unfinished(sessionId, whole)
    if (events.length === 0) return Promise.resolve()
    // Without a look at the position, which takes a turn that a page at its end does not have. An epoch that is over has
    // its place taken, so that nothing of a writer that was replaced is stored. What leaves a gap is removed by the next
    // claim.
    const stored = database.writeNow((now) => {
      const added = addTo(now, sessionId, { head, events })
      const marked = now.objectStore('counters').put(head, [sessionId])
      settle([...requireEpoch(now, epoch), ...added, marked])
    })
    return stored?.then(() => copies.drop(sessionId))
  }

  return async (sessionId, position, added) => {
    const { head, epoch } = position
    const handedOver = position.isLast && handOver(sessionId, { head, epoch, events: added })
    if (handedOver) return handedOver
    const write = (isReached: boolean) =>
      database.write(async (transaction) => {
        underWay.set(sessionId, { head, count: added.length, transaction })
        if (!isReached) checkPosition(await positionOf(transaction, sessionId), position)
        const requests = addTo(transaction, sessionId, { head, events: added })
        const required = requireEpoch(transaction, epoch)
        transaction.commit()
        await Promise.all([...required, ...requests])
      }, position.durability)
    const before = reached.get(sessionId)
    const isNext = before?.epoch === epoch && before.head === head
    reached.delete(sessionId)
    try {
      // The look at the position says why the append failed, if it does again.
      await (isNext ? write(true).catch(() => write(false)) : write(false))
    } finally {
      underWay.delete(sessionId)
    }
    reached.set(sessionId, { epoch, head: head + added.length })
    channel.post(sessionId, { kind: 'appended' })
  }
}
