import { isObject, tryJson } from '../../internal/json.ts'
import type { DurableEvent } from '../../kernel/events.ts'
import { type Position, StorageError } from '../port.ts'

// A log is the messages of one subject. Each carries a mark, which says where the session stands after it.

/** What a message of a log says beside its events. */
export interface Mark extends Position {
  /** When the first event was written, in epoch milliseconds; and the last one. */
  readonly created: number
  readonly updated: number
  /** The number in the stream of the message with which the log begins; 0 if none was removed. */
  readonly base: number
  /** The number of the first event of the message. Absent: it has none. */
  readonly at?: number
  /** The batch of which the message is a part, of several. */
  readonly batch?: string
  /** The rest of the batch follows: none of it counts before. */
  readonly isPart?: true
  /** The log begins here again. */
  readonly isStart?: true
}

/** A mark, and where its message is in the stream. */
export interface Tail extends Mark {
  readonly seq: number
}

/** Of a session without messages. */
export const nothing: Tail = { seq: 0, head: 0, epoch: 0, base: 0, created: 0, updated: 0 }

/** The name of the header with the mark. */
export const markName = 'Offthread'

const version = 1

/** A mark to be written. */
export interface NewMark extends Omit<Mark, 'epoch' | Detail>, Partial<Details> {
  /** A claim's epoch is the number of its own message, which the server gives. */
  readonly epoch: number | 'own'
}

type Detail = 'at' | 'batch' | 'isPart' | 'isStart'
type Details = { readonly [Name in Detail]: Mark[Name] | undefined }

export function markHeader(mark: NewMark): string {
  const { epoch, head, base, created, updated, at, batch, isPart, isStart } = mark
  const fields = { v: version, epoch, head, base, created, updated, at, batch, isPart, isStart }
  return `${markName}: ${JSON.stringify(fields)}`
}

/** `seq`: of its message. */
export function readMark(text: string, seq: number): Tail {
  const mark = tryJson(text)
  if (!isObject(mark) || typeof mark['v'] !== 'number') throw damaged(seq)
  if (mark['v'] > version) throw newer()
  const { epoch, head, base, created, updated } = mark
  const counts = { head, base, created, updated, epoch: epoch === 'own' ? seq : epoch }
  if (!areNumbers(counts)) throw damaged(seq)
  const { at, batch, isPart, isStart } = mark
  return {
    ...{
      ...counts,
      seq,
      base: isStart === true && !isPart && counts.base === 0 ? seq : counts.base,
    },
    ...(typeof at === 'number' && { at }),
    ...(typeof batch === 'string' && { batch }),
    ...(isPart === true && { isPart }),
    ...(isStart === true && { isStart }),
  }
}

type Counts = Pick<Mark, 'head' | 'epoch' | 'base' | 'created' | 'updated'>

function areNumbers(counts: { readonly [Name in keyof Counts]: unknown }): counts is Counts {
  return Object.values(counts).every((count) => typeof count === 'number')
}

// The library's type is `any`. Who reads a log checks each event.
const parseEvents: (text: string) => unknown = JSON.parse

function readEvents(data: Uint8Array, seq: number): readonly DurableEvent[] {
  try {
    const events = parseEvents(new TextDecoder().decode(data))
    if (isEventList(events)) return events
  } catch {
    // As what follows.
  }
  throw damaged(seq)
}

function isEventList(value: unknown): value is readonly DurableEvent[] {
  return Array.isArray(value)
}

/** Puts messages of a log together, in their order. */
export interface Assembly {
  /** The batch that the message completes; `null` if it completes none. */
  readonly add: (tail: Tail, data: Uint8Array) => Batch | null
}

interface Batch {
  /** The number of its first event. */
  readonly at: number
  readonly events: readonly DurableEvent[]
  /** Nothing before it counts. */
  readonly isStart: boolean
}

export function createAssembly(): Assembly {
  let held: { readonly name: string; readonly batch: Batch } | null = null
  return {
    add: ({ at, batch: name, isPart, isStart = false, seq }, data) => {
      const before = name !== undefined && held?.name === name ? held.batch : null
      held = null
      if (at === undefined) return isStart ? { at: 0, events: [], isStart } : null
      const events = readEvents(data, seq)
      const batch = before
        ? { ...before, events: [...before.events, ...events] }
        : { at, events, isStart }
      if (!isPart) return batch
      held = { name: name ?? '', batch }
      return null
    },
  }
}

function damaged(seq: number): StorageError {
  return new StorageError(
    'damaged',
    `Message ${seq} of the stream is none of a session's log. Something else has written to its subject.`,
  )
}

function newer(): StorageError {
  return new StorageError(
    'newer',
    'A newer version of this app has written to this session. Reload this page to get it.',
  )
}
