import type { AppendPosition, SessionStorage } from '../port.ts'
import { checkPosition } from '../position.ts'
import { createTurns } from '../turns.ts'
import { markAfter, type NewBatch, partsOf } from './batch.ts'
import { changedTooOften } from './failure-of.ts'
import { createHandOver } from './hand-over.ts'
import type { Link } from './link.ts'
import type { Tail } from './log-message.ts'
import type { Names } from './names.ts'
import { publishAfter } from './publish.ts'
import { knownAt, type Sent } from './sent.ts'
import type { StoredLog } from './stored-log.ts'
import type { Streams } from './streams.ts'

export interface AppendOptions {
  readonly link: Link
  readonly names: Names
  readonly log: StoredLog
  readonly streams: Streams
  readonly newId: () => string
}

export interface Appends {
  readonly append: SessionStorage['append']
  /** Puts events in place of the whole log. Resolves with where it begins now. */
  readonly replace: (
    sessionId: string,
    position: AppendPosition,
    events: (before: Tail) => Promise<NewBatch['events']>,
  ) => Promise<number>
  /** Where the session stands, by a message of this page: the next append goes on there without a look. */
  readonly note: (sessionId: string, tail: Tail) => void
}

/** So many times in a row the session may change between a look at it and an append. */
const mostLooks = 20
/** Bytes of a message, where a server does not say it. */
const usualLimit = 1_048_576

/** Adds events where the log ends: a message for each step, on the condition that the last message is the expected one. */
export function createAppends(options: AppendOptions): Appends {
  const { link, names, log, streams, newId } = options
  const limit = () => Math.min(link.current()?.info?.max_payload ?? usualLimit, streams.limit())
  const sent: Sent = { reached: new Map(), underWay: new Map(), limit }
  const { reached, underWay } = sent
  const turns = createTurns()
  const handOver = createHandOver(options, sent)

  async function add(
    sessionId: string,
    position: AppendPosition,
    made: (before: Tail) => Promise<Pick<NewBatch, 'events' | 'isStart'>>,
  ): Promise<Tail> {
    await link.open()
    for (let looks = 0; looks < mostLooks; looks += 1) {
      const before = knownAt(sent, sessionId, position) ?? (await log.tail(sessionId))
      checkPosition(before, position)
      const batch = { subject: names.log(sessionId), id: newId(), before, ...(await made(before)) }
      if (batch.events.length === 0) return before
      reached.delete(sessionId)
      underWay.set(sessionId, batch)
      const sending = send(link, batch, limit())
      const tail = await sending.finally(() => underWay.delete(sessionId))
      if (!tail) continue
      reached.set(sessionId, tail)
      return tail
    }
    throw changedTooOften()
  }

  return {
    note: (sessionId, tail) => {
      reached.set(sessionId, tail)
    },
    append: (sessionId, position, events) => {
      const handedOver = position.isLast && handOver(sessionId, position, events)
      if (handedOver) {
        // Reported by the turn.
        handedOver.catch(() => {})
        return turns.take(sessionId, () => handedOver)
      }
      return turns.take(sessionId, async () => {
        await add(sessionId, position, async () => ({ events }))
      })
    },
    replace: (sessionId, position, events) =>
      turns.take(sessionId, async () => {
        const made = async (before: Tail) =>
          ({ events: await events(before), isStart: true }) as const
        return (await add(sessionId, position, made)).base
      }),
  }
}

/** Sends the messages of a batch, each behind the one before. `null`: the session has changed. */
async function send(link: Link, batch: NewBatch, limit: number): Promise<Tail | null> {
  let [first, last] = [0, batch.before.seq]
  for (const part of partsOf(batch, limit)) {
    const seq = await publishAfter(link, last, part(first))
    if (seq === null) return null
    first ||= seq
    last = seq
  }
  const mark = markAfter(batch)
  return { ...mark, seq: last, base: batch.isStart ? first : mark.base }
}
