import type { DurableEvent } from '../../kernel/events.ts'
import { timeOf } from '../time-of.ts'
import { type Mark, markHeader, type NewMark, type Tail, writeMark } from './log-message.ts'
import { mostHeaderBytes, type NewMessage, tooLarge } from './publish.ts'

/** Events that are added to a log as a whole. */
export interface NewBatch {
  readonly subject: string
  readonly id: string
  /** Where the session stands before it. */
  readonly before: Tail
  readonly events: readonly DurableEvent[]
  /** They take the place of the whole log. */
  readonly isStart?: true
}

/** A message of a batch. `first`: the number in the stream of the first one. */
type Part = (first: number) => NewMessage

/** Where the session stands after the batch, but for the number of its last message. */
export function markAfter({ before, events, isStart }: NewBatch): Mark {
  const { head, epoch, base, created, updated } = before
  const at = isStart ? 0 : head
  return {
    ...{ epoch, base, head: at + events.length },
    created: at === 0 ? timeOf(events[0]) : created,
    updated: events.length === 0 ? updated : timeOf(events.at(-1)),
  }
}

/**
 * The messages of a batch: one, unless it is too large for that. Throws where a single event is. `limit`: bytes of a
 * message.
 */
export function partsOf(batch: NewBatch, limit: number): readonly Part[] {
  const { subject, id, before, isStart } = batch
  const groups = groupsOf(batch.events, limit - mostHeaderBytes)
  const isWhole = groups.length === 1
  let at = isStart ? 0 : before.head
  return groups.map(({ data, count }, index) => {
    const isLast = index === groups.length - 1
    const shared = { at, ...(!isWhole && { batch: id }), ...(isStart && { isStart }) }
    at += count
    return (first) => {
      const mark: NewMark = isLast
        ? { ...markAfter(batch), ...(isStart && { base: isWhole ? 0 : first }), ...shared }
        : { ...positionOf(before), ...shared, isPart: true }
      const headers = { [markHeader]: writeMark(mark) }
      return { subject, data, headers, id: isWhole ? id : `${id}.${index}` }
    }
  })
}

function positionOf({ head, epoch, base, created, updated }: Tail): Mark {
  return { head, epoch, base, created, updated }
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
