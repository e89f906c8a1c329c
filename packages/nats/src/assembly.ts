import type { DurableEvent } from '@offthread/core'
import { StorageError, type StorageErrorKind } from '@offthread/core/storage'
import { damaged, type Tail } from './log-message.ts'

/** Joins the messages of a log to batches of events, in order. */
export interface Assembly {
  /** The batch that the message completes; `null` if it completes none. */
  readonly add: (tail: Tail, data: Uint8Array) => Batch | null
}

interface Batch {
  /** The number of the batch's first event. */
  readonly at: number
  /** Grows while parts of the batch come: copying the list for each part would cost the square of their number. */
  readonly events: DurableEvent[]
  /** Nothing before this batch counts. */
  readonly isStart: boolean
}

/** A batch whose last message has not come. */
interface Held extends Batch {
  readonly name: string
  /** The pieces of its last event, if that is not whole. */
  readonly pieces: Pieces | null
}

/** The most bytes that one event may have as JSON: more than models take in one message. */
interface Pieces {
  readonly bytes: number
  readonly wanted: number
  readonly text: string
  readonly decoder: TextDecoder
}

/** The most bytes that one event may have as JSON: more than models take in one message. */
export const mostEventBytes = 33_554_432

export function createAssembly(): Assembly {
  let held: Held | null = null
  return {
    add: (tail, data) => {
      const { at, batch: name, isPart, isStart = false, cut, seq } = tail
      const before = name !== undefined && held?.name === name ? held : null
      held = null
      if (at === undefined) return isStart ? { at: 0, events: [], isStart } : null
      const pieces = cut === undefined ? null : join(before?.pieces ?? null, tail, data)
      // A message of another kind in the middle of an event.
      if (before?.pieces && before.pieces.wanted !== cut) throw damaged(seq)
      const isCut = pieces !== null && pieces.bytes < pieces.wanted
      const events = isCut ? [] : readEvents(pieces?.text ?? new TextDecoder().decode(data), seq)
      const batch: Batch = before ?? { at, isStart, events: [] }
      for (const event of events) batch.events.push(event)
      if (!isPart && isCut) throw damaged(seq)
      const { at: start, isStart: isFirst, events: all } = batch
      if (!isPart) return { at: start, isStart: isFirst, events: all }
      held = { ...batch, name: name ?? '', pieces: isCut ? pieces : null }
      return null
    },
  }
}

/** The pieces of an event that are there with this one. The size that it states is checked before anything is kept. */
function join(before: Pieces | null, { cut: wanted = 0, seq }: Tail, data: Uint8Array): Pieces {
  if (!(wanted <= mostEventBytes)) throw beyondLimit(seq, wanted)
  const { bytes, text, decoder } = before ?? { bytes: 0, text: '', decoder: new TextDecoder() }
  const reached = bytes + data.length
  if (reached > wanted) throw damaged(seq)
  const more = decoder.decode(data, { stream: reached < wanted })
  return { bytes: reached, wanted, text: text + more, decoder }
}

function beyondLimit(seq: number, bytes: number): StorageError {
  return new StorageError(
    'damaged',
    `Message ${seq} of the stream begins an event of ${bytes} bytes, and one of at most ${mostEventBytes} is read.`,
  )
}

// The library's type is `any`. The reader of a log checks each event.
const parseEvents: (text: string) => unknown = JSON.parse

function readEvents(text: string, seq: number): readonly DurableEvent[] {
  try {
    const events = parseEvents(text)
    if (isEventList(events)) return events
  } catch {
    // Text that is no JSON is damaged, as is JSON that is no list.
  }
  throw damaged(seq)
}

/**
 * Stands for a message that cannot be read, with the number of the event that should have come: an agent that follows
 * stops at it, and reports it.
 */
export function unreadable(kind: StorageErrorKind, seq: number): readonly DurableEvent[] {
  const v = kind === 'newer' ? Number.MAX_SAFE_INTEGER : 0
  return readEvents(JSON.stringify([{ v, seq }]), seq)
}

function isEventList(value: unknown): value is readonly DurableEvent[] {
  return Array.isArray(value)
}
