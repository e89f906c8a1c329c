import { type Position, StorageError, tryJson } from '@offthread/core/storage'
import { isObject } from './is-object.ts'

// A log is the messages of one subject. Each carries a header, which says where the session stands after it.

/** What a message of a log says beside its events. */
export interface LogHeader extends Position {
  /** When the first event was written, in epoch milliseconds. Below: the last one. */
  readonly created: number
  readonly updated: number
  /** The number in the stream of the message with which the log begins; 0 if none was removed. */
  readonly base: number
  /** The number of the first event of the message. Absent: the message has none. */
  readonly at?: number
  /** The batch to which the message belongs, if that has several messages. */
  readonly batch?: string
  /** More messages of the batch follow. None of it counts before the last. */
  readonly isPart?: true
  /** The log begins here again. */
  readonly isStart?: true
  /** Bytes of a whole event as JSON. Present if the message is a piece of that event, which is too large for one message. */
  readonly cut?: number
}

/** A header, and the number of its message in the stream. */
export interface Tail extends LogHeader {
  readonly seq: number
}

/** The end of a log without messages. */
export const nothing: Tail = { seq: 0, head: 0, epoch: 0, base: 0, created: 0, updated: 0 }

/** The name of the header. */
export const headerName = 'Offthread'

/** A message with a piece of an event has version 2, so that code which knows no pieces refuses it. */
const versions = { whole: 1, piece: 2 } as const

/** A header to be written. */
export interface NewLogHeader extends Omit<LogHeader, 'epoch' | Detail>, Partial<Details> {
  /** A claim's epoch is the number of its own message, which the server gives. */
  readonly epoch: number | 'own'
}

type Detail = 'at' | 'batch' | 'isPart' | 'isStart' | 'cut'
type Details = { readonly [Name in Detail]: LogHeader[Name] | undefined }

export function headerLine(header: NewLogHeader): string {
  const { epoch, head, base, created, updated, at, batch, isPart, isStart, cut } = header
  const v = cut === undefined ? versions.whole : versions.piece
  const fields = { v, epoch, head, base, created, updated, at, batch, isPart, isStart, cut }
  return `${headerName}: ${JSON.stringify(fields)}`
}

/** `seq`: the number of the message in the stream. */
export function readTail(text: string, seq: number): Tail {
  const header = tryJson(text)
  if (!isObject(header) || typeof header['v'] !== 'number') throw damaged(seq)
  if (header['v'] > versions.piece) throw newer()
  const { epoch, head, base, created, updated } = header
  const counts = { head, base, created, updated, epoch: epoch === 'own' ? seq : epoch }
  const { at, batch, isPart, isStart, cut } = header
  if (!arePlausible(counts) || counts.base > seq || !(at === undefined || isCount(at)))
    throw damaged(seq)
  return {
    ...{
      ...counts,
      seq,
      base: isStart === true && !isPart && counts.base === 0 ? seq : counts.base,
    },
    ...(at !== undefined && { at }),
    ...(typeof batch === 'string' && { batch }),
    ...(isPart === true && { isPart }),
    ...(isStart === true && { isStart }),
    ...(typeof cut === 'number' && { cut }),
  }
}

type Counts = Pick<LogHeader, 'head' | 'epoch' | 'base' | 'created' | 'updated'>

/** This library writes only such figures. They are checked because lists show them, and logs are read by them. */
function arePlausible(counts: { readonly [Name in keyof Counts]: unknown }): counts is Counts {
  const { created, updated, ...numbers } = counts
  return [created, updated].every(isTime) && Object.values(numbers).every(isCount)
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(new Date(value).getTime())
}

export function damaged(seq: number): StorageError {
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
