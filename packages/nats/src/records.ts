import { type SessionDescription, StorageError, toTitle, tryJson } from '@offthread/core/storage'
import { ApiError, changedTooOften, noMessage } from './failure-of.ts'
import { isObject } from './is-object.ts'
import { askApi, bytesIn, numberIn, textIn } from './jetstream-api.ts'
import type { Link } from './link.ts'
import type { Deliveries } from './messages.ts'
import { type Names, textOf } from './names.ts'
import { publishAfter } from './publish.ts'
import type { Streams } from './streams.ts'

/** What is known of a session beside its log. */
export interface SessionRecord extends SessionDescription {
  /** The number of the last claim; 0 without one. */
  readonly epoch: number
  /** The holder of the claim; `null`: it was given back. */
  readonly holder: string | null
  readonly unconfirmed: number
  /** The files kept beside the events, by key. */
  readonly files: { readonly [key: string]: StoredFile }
}

export interface StoredFile {
  /** The id of the object. */
  readonly id: string
  readonly size: number
  readonly type: string
}

/** A record and its revision, by which a change is noticed. `null`: there is no record. */
interface Found {
  readonly record: SessionRecord | null
  readonly revision: number
}

/** The records of the sessions: one entry of a key-value bucket for each. */
export interface Records {
  readonly get: (sessionId: string) => Promise<SessionRecord | null>
  readonly all: () => Promise<ReadonlyMap<string, SessionRecord>>
  /** Changes the record, unless `by` returns `false`. It is called again if the record has changed meanwhile. */
  readonly change: (
    sessionId: string,
    by: (record: SessionRecord | null) => SessionRecord | false | Promise<SessionRecord | false>,
  ) => Promise<SessionRecord | null>
  readonly remove: (sessionId: string) => Promise<void>
}

export const newRecord: SessionRecord = { epoch: 0, holder: null, unconfirmed: 0, files: {} }

export interface RecordOptions {
  readonly link: Link
  readonly names: Names
  readonly streams: Streams
  readonly deliveries: Deliveries
  readonly newId: () => string
}

/** How many times in a row the record may change between a look at it and a change of it. */
const mostTries = 50
const version = 1

export function createRecords(options: RecordOptions): Records {
  const { link, names, streams, deliveries, newId } = options

  async function find(sessionId: string): Promise<Found> {
    await streams.sessions()
    const subject = names.record(sessionId)
    try {
      const query = { last_by_subj: subject }
      const { message } = await askApi(link, `STREAM.MSG.GET.${names.records}`, query)
      const found = isObject(message) ? message : {}
      return { record: readRecord(bytesIn(found, 'data')), revision: numberIn(found, 'seq') }
    } catch (error) {
      if (isNone(error)) return { record: null, revision: 0 }
      throw error
    }
  }

  /** Resolves with `false`, and changes nothing, if the record has another revision by now. */
  async function put(sessionId: string, revision: number, record: SessionRecord): Promise<boolean> {
    const data = new TextEncoder().encode(writeRecord(record))
    const { info } = await link.open()
    const limit = info?.max_payload ?? Number.POSITIVE_INFINITY
    if (data.length > limit) throw tooLarge(data.length, limit)
    const message = { subject: names.record(sessionId), data, id: newId() }
    const seq = await publishAfter(link, revision, message)
    return seq !== null
  }

  return {
    get: async (sessionId) => (await find(sessionId)).record,
    all: async () => {
      await streams.sessions()
      const wanted = { stream: names.records, subject: names.subjects.records }
      const decoder = new TextDecoder()
      const records = new Map<string, SessionRecord>()
      for (const { subject, data } of await deliveries.collect(wanted)) {
        const record = tryRecord(decoder.decode(data))
        if (record) records.set(textOf(subject), record)
      }
      return records
    },
    change: async (sessionId, by) => {
      for (let tries = 0; tries < mostTries; tries += 1) {
        const { record, revision } = await find(sessionId)
        const next = await by(record)
        if (!next) return record
        if (await put(sessionId, revision, next)) return next
      }
      throw changedTooOften()
    },
    remove: async (sessionId) => {
      await askApi(link, `STREAM.PURGE.${names.records}`, { filter: names.record(sessionId) })
    },
  }
}

/** Written in ASCII, because the bytes of the server's answers are read as that. */
function writeRecord(record: SessionRecord): string {
  return JSON.stringify({ v: version, ...record }).replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** `null` also for a record of a newer version: it must not hide the others. */
function tryRecord(text: string): SessionRecord | null {
  try {
    return readRecord(text)
  } catch {
    return null
  }
}

/** `null`: the record was deleted, or was not written by this library. */
function readRecord(text: string): SessionRecord | null {
  const value = tryJson(text)
  if (!isObject(value)) return null
  if (numberIn(value, 'v') > version) throw newer()
  const { holder, files } = value
  return {
    ...{ epoch: numberIn(value, 'epoch'), unconfirmed: numberIn(value, 'unconfirmed') },
    // The holder is asked under its name, which has to be a token of a subject.
    holder: typeof holder === 'string' && /^[^\s.*>\p{Cc}]{1,200}$/u.test(holder) ? holder : null,
    files: isObject(files) ? readFiles(files) : {},
    ...readDescription(value),
  }
}

function readDescription(value: { readonly [key: string]: unknown }): SessionDescription {
  const { title, topic, status } = value
  return {
    ...(typeof title === 'string' && { title: toTitle(title) }),
    ...(typeof topic === 'string' && { topic: toTitle(topic) }),
    ...(typeof status === 'string' && { status }),
  }
}

function readFiles(files: { readonly [key: string]: unknown }): SessionRecord['files'] {
  return Object.fromEntries(
    Object.entries(files).flatMap(([key, file]) =>
      isObject(file)
        ? [[key, { id: textIn(file, 'id'), size: sizeIn(file), type: textIn(file, 'type') }]]
        : [],
    ),
  )
}

/** The size of a file, limited, because a list shows the sum of all sizes. */
function sizeIn(file: { readonly [key: string]: unknown }): number {
  return Math.min(numberIn(file, 'size'), Number.MAX_SAFE_INTEGER)
}

function isNone(thrown: unknown): boolean {
  const cause = thrown instanceof Error && !(thrown instanceof ApiError) ? thrown.cause : thrown
  return cause instanceof ApiError && cause.number === noMessage
}

function tooLarge(bytes: number, limit: number): StorageError {
  return new StorageError(
    'unknown',
    `The list of the files of this session has ${bytes} bytes, and this NATS server takes at most ${limit} in one message. Raise max_payload in its configuration.`,
  )
}

function newer(): StorageError {
  return new StorageError(
    'newer',
    'A newer version of this app has used this session. Reload this page to get it.',
  )
}
