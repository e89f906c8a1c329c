import type { DurableEvent } from '@offthread/core'
import type { Clock } from '@offthread/core/host'
import {
  deletedSession,
  type SessionStorage,
  StorageError,
  type StorageErrorKind,
} from '@offthread/core/storage'
import { createAssembly, unreadable } from './assembly.ts'
import { NoAnswer } from './failure-of.ts'
import type { Lines } from './lines.ts'
import type { Link } from './link.ts'
import type { Tail } from './log-message.ts'
import type { Deliveries } from './messages.ts'
import type { Names } from './names.ts'
import { type StoredLog, tailOf } from './stored-log.ts'

export interface FollowOptions {
  readonly link: Link
  readonly names: Names
  readonly log: StoredLog
  readonly deliveries: Deliveries
  readonly clock: Clock
  readonly lines: Pick<Lines, 'end'>
}

/** Milliseconds until a delivery is asked for again. */
const pauseMs = 1000
/** Errors that asking again does not mend. */
const isFinal: ReadonlySet<StorageErrorKind> = new Set(['damaged', 'newer'])

/** One reading of a log, and how far it has come. */
interface Reading {
  readonly sessionId: string
  readonly next: () => number
  readonly take: (events: readonly DurableEvent[], at: number) => void
  readonly over: AbortSignal
  readonly origin: Origin
}

/** Follows a log as the server delivers it. A delivery that breaks is followed by one that goes on where it ended. */
export function createFollow(options: FollowOptions): SessionStorage['follow'] {
  const { link, clock, lines } = options
  return (sessionId, from, listener) => {
    const ending = new AbortController()
    const over = ending.signal
    const origin = createOrigin()
    let next = from

    function take(events: readonly DurableEvent[], at: number): void {
      const news = events.slice(Math.max(0, next - at))
      if (news.length === 0) return
      next = at + events.length
      listener(news)
    }

    async function run(): Promise<void> {
      while (!over.aborted && !link.ended.aborted) {
        try {
          await link.insist(() =>
            deliver(options, { sessionId, next: () => next, take, over, origin }),
          )
        } catch (error) {
          if (error instanceof StorageError && isFinal.has(error.kind)) {
            listener(unreadable(error.kind, next))
            return
          }
          if (error instanceof StorageError && error.kind === 'cleared') {
            // Other listeners of this page may have missed the deletion, because the connection was cut.
            lines.end(sessionId)
            return
          }
          await new Promise<void>((resolve) => clock.setTimer(pauseMs, resolve))
        }
      }
    }

    void run()
    return () => ending.abort()
  }
}

/** Which log is followed: one that was deleted and written again under the same name is another log. */
interface Origin {
  /**
   * Throws, as `cleared`, if a message belongs to another log than the events before it. `next`: the number of the next
   * event.
   */
  readonly check: (tail: Tail, next: number) => void
}

function createOrigin(): Origin {
  let known: number | null = null
  return {
    check: ({ head, created }, next) => {
      if (head === 0) return
      if (next > 0 && known !== null && known !== created) throw deletedSession()
      known = created
    },
  }
}

/** Resolves when the reading is over, and rejects when the delivery breaks. */
async function deliver(
  { names, log, deliveries }: FollowOptions,
  { sessionId, next, take, over, origin }: Reading,
): Promise<void> {
  if (over.aborted) return
  const tail = await log.tail(sessionId)
  if (tail.head < next()) throw deletedSession()
  origin.check(tail, next())
  const isPast = tail.head <= next() && tail.batch === undefined
  const { seq } = isPast ? { seq: tail.seq + 1 } : await log.placeOf(sessionId, next(), tail)
  if (over.aborted) return
  const assembly = createAssembly()
  await new Promise<void>((resolve, reject) => {
    const stop = deliveries.start(
      { stream: names.logs, subject: names.log(sessionId), from: seq },
      {
        onMessage: (message) => {
          const tail = tailOf(message)
          origin.check(tail, next())
          const batch = assembly.add(tail, message.data)
          if (batch && batch.at > next()) throw new NoAnswer('late', 'an event between')
          if (batch) take(batch.events, batch.at)
        },
        onBreak: (error) => {
          over.removeEventListener('abort', end)
          reject(error)
        },
      },
    )
    const end = () => {
      stop()
      resolve()
    }
    over.addEventListener('abort', end)
  })
}
