import type { DurableEvent } from '../../kernel/events.ts'
import { timeOf } from '../time-of.ts'
import { type Mark, markHeader, type NewMark, type Tail } from './log-message.ts'
import { mostHeaderBytes, type NewMessage, tooLarge } from './publish.ts'

/** Events that are added to a log as a whole. */
export interface Addition {
  readonly subject: string
  readonly id: string
  /** Where the session stands before it. */
  readonly before: Tail
  readonly events: readonly DurableEvent[]
  /** They take the place of the whole log. */
  readonly isStart: boolean
}

export interface NewBatch extends Addition {
  /** Where the session stands after it, but for the number of its last message. */
  readonly after: Mark
}

/** A message of a batch. `first`: the number in the stream of the first one. */
type Part = (first: number) => NewMessage

export function newBatch({ subject, id, before, events, isStart }: Addition): NewBatch {
  const { head, epoch, base } = before
  const at = isStart ? 0 : head
  const created = at === 0 ? timeOf(events[0]) : before.created
  const updated = events.length === 0 ? before.updated : timeOf(events.at(-1))
  const after = { epoch, base, head: at + events.length, created, updated }
  return { subject, id, before, events, isStart, after }
}

/**
 * The messages of a batch: one, unless it is too large for that. Throws where a single event is. `limit`: bytes of a
 * message.
 */
export function partsOf(batch: NewBatch, limit: number): readonly Part[] {
  const { subject, id, before, after, isStart } = batch
  const groups = groupsOf(batch.events, limit - mostHeaderBytes)
  const isWhole = groups.length === 1
  let next = isStart ? 0 : before.head
  return groups.map(({ data, count }, index) => {
    const at = next
    next += count
    const isLast = index === groups.length - 1
    return (first) => {
      // Where the session stands: nothing counts before the last one.
      const { head, epoch, base, created, updated } = isLast ? after : before
      const mark: NewMark = {
        head,
        epoch,
        created,
        updated,
        at,
        base: isLast && isStart ? first : base,
        batch: isWhole ? undefined : id,
        isPart: isLast ? undefined : true,
        isStart: isStart ? true : undefined,
      }
      return { subject, data, header: markHeader(mark), id: isWhole ? id : `${id}.${index}` }
    }
  })
}

interface Group {
  readonly data: Uint8Array
  readonly count: number
}

const encoder = new TextEncoder()

/** The events as JSON, in lists of so many bytes at most. */
function groupsOf(events: readonly DurableEvent[], limit: number): readonly Group[] {
  const encode = (some: readonly DurableEvent[]) => encoder.encode(JSON.stringify(some))
  const whole = encode(events)
  if (whole.length <= limit) return [{ data: whole, count: events.length }]
  const groups: DurableEvent[][] = []
  let room = 0
  for (const event of events) {
    // With a comma or bracket, and the last bracket.
    const bytes = encode([event]).length
    if (bytes > limit) throw tooLarge(`Event ${event.seq} (${event.type})`, bytes, limit)
    if (bytes > room) {
      groups.push([])
      room = limit
    }
    groups.at(-1)?.push(event)
    room -= bytes
  }
  return groups.map((group) => ({ data: encode(group), count: group.length }))
}
