import type { DurableEvent } from '@offthread/core'
import type { AppendPosition } from '@offthread/core/storage'
import { newBatch, partsOf } from './batch.ts'
import type { Link } from './link.ts'
import type { Names } from './names.ts'
import { expectingMessage, expectingSeq, publishNow } from './publish.ts'
import { knownAt, type Sent } from './sent.ts'

/**
 * Sends the last events of a page before it returns. `undefined`: it cannot, because it does not know the message that
 * they follow.
 */
type HandOver = (
  sessionId: string,
  position: AppendPosition,
  events: readonly DurableEvent[],
) => Promise<void> | undefined

export interface HandOverOptions {
  readonly link: Link
  readonly names: Names
  readonly newId: () => string
}

interface HandOverPorts {
  readonly sentOf: (sessionId: string) => Sent
  /** The most bytes of a message. */
  readonly limit: () => number
}

export function createHandOver(
  { link, names, newId }: HandOverOptions,
  { sentOf, limit }: HandOverPorts,
): HandOver {
  return (sessionId, position, whole) => {
    const connection = link.current()
    const sent = sentOf(sessionId)
    const batchBefore = sent.underWay
    const isNext =
      batchBefore?.before.head === position.head && batchBefore.before.epoch === position.epoch
    const before = batchBefore
      ? isNext && { ...batchBefore.after, seq: 0 }
      : knownAt(sent, position)
    if (!connection || !before) return undefined
    const events = whole.slice(before.head - position.head)
    if (events.length === 0) return Promise.resolve()
    const [subject, id] = [names.log(sessionId), newId()]
    const batch = newBatch({ subject, id, before, events, isStart: false })
    let condition = batchBefore ? expectingMessage(batchBefore.id) : expectingSeq(before.seq)
    sent.reached = null
    const answers = partsOf(batch, limit()).map((part) => {
      const message = part(0)
      const answer = publishNow(connection, message, condition)
      // The next message names this one by its id, because its number is not known yet.
      condition = expectingMessage(message.id)
      return answer
    })
    return Promise.all(answers).then((seqs) => {
      sent.reached = { ...batch.after, seq: seqs.at(-1) ?? 0 }
    })
  }
}
