import type { DurableEvent } from '@offthread/core'
import { StorageError, timeOf } from '@offthread/core/storage'
import { mostEventBytes } from './assembly.ts'
import { headerLine, type LogHeader, type NewLogHeader, type Tail } from './log-message.ts'
import { mostHeaderBytes, type NewMessage } from './publish.ts'

/** Events that are added to a log as a whole. */
export interface Addition {
  readonly subject: string
  readonly id: string
  /** The end of the log before this addition. */
  readonly before: Tail
  readonly events: readonly DurableEvent[]
  /** The events take the place of the whole log. */
  readonly isStart: boolean
}

export interface NewBatch extends Addition {
  /** The end of the log after this batch, without the number of its last message. */
  readonly after: LogHeader
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
 * The messages of a batch: one, unless it is too large for that. Throws where a single event is too large for a log.
 * `limit`: bytes of a message.
 */
export function partsOf(batch: NewBatch, limit: number): readonly Part[] {
  const { subject, id, before, after, isStart } = batch
  const groups = groupsOf(batch.events, limit - mostHeaderBytes)
  const isWhole = groups.length === 1
  let next = isStart ? 0 : before.head
  return groups.map(({ data, count, cut }, index) => {
    const at = next
    next += count
    const isLast = index === groups.length - 1
    return (first) => {
      // All parts but the last one state the end as it was before: no part counts before the last one is there.
      const { head, epoch, base, created, updated } = isLast ? after : before
      const fields: NewLogHeader = {
        head,
        epoch,
        created,
        updated,
        at,
        base: isLast && isStart ? first : base,
        batch: isWhole ? undefined : id,
        isPart: isLast ? undefined : true,
        isStart: isStart ? true : undefined,
        cut,
      }
      return { subject, data, header: headerLine(fields), id: isWhole ? id : `${id}.${index}` }
    }
  })
}

/** What one message holds of a batch. */
interface Group {
  readonly data: Uint8Array
  /** How many events end in this message. */
  readonly count: number
  /** Bytes of the event of which this is a piece. */
  readonly cut?: number
}

const encoder = new TextEncoder()
const encode = (some: readonly DurableEvent[]) => encoder.encode(JSON.stringify(some))

/** The events as JSON: lists of at most `limit` bytes, or pieces of a list with a single event that is larger. */
function groupsOf(events: readonly DurableEvent[], limit: number): readonly Group[] {
  const whole = encode(events)
  if (whole.length <= limit) return [{ data: whole, count: events.length }]
  const groups: Group[] = []
  let list: DurableEvent[] = []
  let room = limit
  const close = () => {
    if (list.length > 0) groups.push({ data: encode(list), count: list.length })
    list = []
    room = limit
  }
  for (const event of events) {
    // The bytes include a bracket or comma, and the closing bracket.
    const data = encode([event])
    if (data.length > room) close()
    if (data.length > limit) groups.push(...piecesOf(event, data, limit))
    else list.push(event)
    room -= Math.min(room, data.length)
  }
  close()
  return groups
}

function piecesOf(event: DurableEvent, data: Uint8Array, limit: number): readonly Group[] {
  const cut = data.length
  if (cut > mostEventBytes) throw tooLarge(event, cut)
  return Array.from({ length: Math.ceil(cut / limit) }, (_, index) => {
    const end = (index + 1) * limit
    return { data: data.subarray(index * limit, end), count: end < cut ? 0 : 1, cut }
  })
}

function tooLarge({ seq, type }: DurableEvent, bytes: number): StorageError {
  return new StorageError(
    'unknown',
    `Event ${seq} (${type}) has ${bytes} bytes, and a session at a NATS server takes at most ${mostEventBytes} in one event. Keep large data in files.`,
  )
}
