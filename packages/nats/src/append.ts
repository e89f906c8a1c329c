import {
  type AppendPosition,
  checkPosition,
  createSessionQueues,
  type SessionStorage,
} from '@offthread/core/storage'
import { type Addition, type NewBatch, newBatch, partsOf } from './batch.ts'
import { mostBytesOf } from './connection.ts'
import { changedTooOften } from './failure-of.ts'
import { createHandOver } from './hand-over.ts'
import type { Link } from './link.ts'
import type { Tail } from './log-message.ts'
import type { Names } from './names.ts'
import { publishAfter } from './publish.ts'
import { createSent, knownAt, type Sent } from './sent.ts'
import type { StoredLog } from './stored-log.ts'
import type { Streams } from './streams.ts'

export interface AppendOptions {
  readonly link: Link
  readonly names: Names
  readonly log: StoredLog
  readonly streams: Streams
  readonly newId: () => string
}

type NewEvents = Pick<Addition, 'events' | 'isStart'>

export interface Appends {
  readonly append: SessionStorage['append']
  /** Puts events in place of the whole log. Resolves with the number of the message with which the log begins now. */
  readonly replace: (
    sessionId: string,
    position: AppendPosition,
    events: (before: Tail) => Promise<NewBatch['events']>,
  ) => Promise<number>
  /** Notes where the log ends after a message of this page, so that the next append goes on there without a look. */
  readonly note: (sessionId: string, tail: Tail) => void
}

/** How many times in a row the session may change between a look at it and an append. */
const mostLooks = 20

/** Adds events where the log ends: a message for each step, on the condition that the last message is the expected one. */
export function createAppends(options: AppendOptions): Appends {
  const { link, names, log, streams, newId } = options
  const limit = () => Math.min(mostBytesOf(link.current()?.info), streams.limit())
  const sentOf = createSent()
  const queues = createSessionQueues()
  const handOver = createHandOver(options, { sentOf, limit })

  async function add(
    sessionId: string,
    position: AppendPosition,
    made: (before: Tail) => NewEvents | Promise<NewEvents>,
  ): Promise<Tail> {
    await link.open()
    const sent = sentOf(sessionId)
    for (let looks = 0; looks < mostLooks; looks += 1) {
      const before = knownAt(sent, position) ?? (await log.tail(sessionId))
      checkPosition(before, position)
      const { events, isStart } = await made(before)
      if (events.length === 0) return before
      const [subject, id] = [names.log(sessionId), newId()]
      const batch = newBatch({ subject, id, before, events, isStart })
      const tail = await send({ link, limit }, sent, batch)
      if (tail) return tail
    }
    throw changedTooOften()
  }

  return {
    note: (sessionId, tail) => {
      sentOf(sessionId).reached = tail
    },
    // Sends before it returns, and what it throws is a rejection.
    append: async (sessionId, position, events) => {
      const handedOver = position.isLast && handOver(sessionId, position, events)
      if (handedOver) {
        // A failure is reported by the promise of the queue.
        handedOver.catch(() => {})
        return queues.run(sessionId, () => handedOver)
      }
      return queues.run(sessionId, async () => {
        await add(sessionId, position, () => ({ events, isStart: false }))
      })
    },
    replace: (sessionId, position, events) =>
      queues.run(sessionId, async () => {
        const made = async (before: Tail) => ({ events: await events(before), isStart: true })
        return (await add(sessionId, position, made)).base
      }),
  }
}

/** Sends the messages of a batch, each behind the one before. `null`: the session has changed. */
async function send(
  { link, limit }: { readonly link: Link; readonly limit: () => number },
  sent: Sent,
  batch: NewBatch,
): Promise<Tail | null> {
  const { before, after, isStart } = batch
  let first = 0
  let last = before.seq
  sent.reached = null
  sent.underWay = batch
  try {
    for (const part of partsOf(batch, limit())) {
      const seq = await publishAfter(link, last, part(first))
      if (seq === null) return null
      first ||= seq
      last = seq
    }
  } finally {
    sent.underWay = null
  }
  const { head, epoch, created, updated } = after
  const base = isStart ? first : after.base
  sent.reached = { seq: last, head, epoch, base, created, updated }
  return sent.reached
}
