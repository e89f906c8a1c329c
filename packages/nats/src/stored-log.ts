import type { DurableEvent, JsonObject } from '@offthread/core'
import { createAssembly } from './assembly.ts'
import { ApiError, NoAnswer, noMessage } from './failure-of.ts'
import { isObject } from './is-object.ts'
import { askApi, bytesIn, numberIn } from './jetstream-api.ts'
import type { Link } from './link.ts'
import { damaged, headerName, nothing, readTail, type Tail } from './log-message.ts'
import type { Deliveries, StoredMessage } from './messages.ts'
import type { Names } from './names.ts'
import type { Streams } from './streams.ts'

/** The logs of the sessions at the server. */
export interface StoredLog {
  /** Reads the end of the log. */
  readonly tail: (sessionId: string) => Promise<Tail>
  readonly read: (sessionId: string, from?: number, to?: number) => Promise<readonly DurableEvent[]>
  /** Removes the messages before a number of the stream. */
  readonly removeBefore: (sessionId: string, seq: number) => Promise<void>
  /**
   * A place in the stream at or before an event: the number of a message, and that of the first event from there on.
   */
  readonly placeOf: (sessionId: string, event: number, tail: Tail) => Promise<Place>
}

interface Place {
  readonly seq: number
  readonly before: number
}

export interface LogOptions {
  readonly link: Link
  readonly names: Names
  readonly streams: Streams
  readonly deliveries: Deliveries
}

/** A distance of so few events is read through, and not searched. */
const worthASearch = 256
/** How many places of a session are remembered. */
const mostPlaces = 1000

export function createStoredLog({ link, names, streams, deliveries }: LogOptions): StoredLog {
  /** By session: the places of events that were read. */
  const places = new Map<string, Place[]>()

  async function message(query: JsonObject): Promise<Tail | null> {
    await streams.sessions()
    try {
      return tailIn(await askApi(link, `STREAM.MSG.GET.${names.logs}`, query))
    } catch (error) {
      if (isNone(error)) return null
      throw error
    }
  }

  const next = (sessionId: string, from: number) =>
    message({ seq: Math.max(1, from), next_by_subj: names.log(sessionId) })

  const tail = async (sessionId: string) =>
    (await message({ last_by_subj: names.log(sessionId) })) ?? nothing

  function remember(sessionId: string, base: number, place: Place): void {
    const known = (places.get(sessionId) ?? []).filter(({ seq }) => seq >= base)
    const last = known.at(-1)
    if (!last || place.before >= last.before + worthASearch) known.push(place)
    places.set(sessionId, known.slice(-mostPlaces))
  }

  async function placeOf(sessionId: string, event: number, { base, seq }: Tail): Promise<Place> {
    const known = (places.get(sessionId) ?? []).filter((one) => one.seq >= base)
    let low = known.findLast(({ before }) => before <= event) ?? { seq: base, before: 0 }
    let end = known.find(({ before }) => before > event)?.seq ?? seq
    while (event - low.before > worthASearch && end - low.seq > 1) {
      const middle = Math.floor((low.seq + end) / 2)
      const found = await next(sessionId, middle)
      // A part of a batch does not show where it stands without the parts before it.
      const before = found && found.batch === undefined ? (found.at ?? found.head) : Infinity
      if (found && found.seq >= middle && found.seq < end && before <= event)
        low = { seq: found.seq, before }
      else end = middle
    }
    return low
  }

  return {
    tail,
    placeOf,
    removeBefore: async (sessionId, seq) => {
      places.delete(sessionId)
      await askApi(link, `STREAM.PURGE.${names.logs}`, { filter: names.log(sessionId), seq })
    },
    // The whole log is read again if it was changed meanwhile.
    read: (sessionId, from = 0, to = Number.POSITIVE_INFINITY) =>
      link.insist(() => readOnce(sessionId, from, to)),
  }

  async function readOnce(sessionId: string, from: number, to: number) {
    const end = await tail(sessionId)
    if (from >= Math.min(to, end.head)) return []
    const place = await placeOf(sessionId, from, end)
    const wanted = { stream: names.logs, subject: names.log(sessionId), from: place.seq }
    const messages = await deliveries.collect(wanted, (one) => isEnough(tailOf(one), end, to))
    for (const one of messages) {
      const { at, seq, batch, base } = tailOf(one)
      if (at !== undefined && batch === undefined) remember(sessionId, base, { seq, before: at })
    }
    const events = eventsIn(messages, { from, to: Math.min(to, end.head) })
    return events ?? missing(end, await tail(sessionId))
  }
}

/**
 * Whether no later message is wanted. The head in a part of a batch is the one before the batch, so it does not count.
 */
function isEnough({ seq, head, isPart }: Tail, end: Tail, to: number): boolean {
  return seq >= end.seq || (!isPart && head >= to)
}

/**
 * Throws for events that are missing: `damaged` if the log is as it was when the reading began, otherwise an error
 * after which it is read again.
 */
function missing(end: Tail, now: Tail): never {
  throw now.seq === end.seq ? damaged(end.seq) : new NoAnswer('late', 'the rest of the log')
}

/** `null`: some of the events are missing. */
function eventsIn(
  messages: readonly StoredMessage[],
  { from, to }: { readonly from: number; readonly to: number },
): readonly DurableEvent[] | null {
  const assembly = createAssembly()
  let events: DurableEvent[] = []
  let reached = from
  for (const one of messages) {
    const batch = assembly.add(tailOf(one), one.data)
    if (!batch) continue
    if (batch.isStart) {
      events = []
      reached = from
    }
    for (const event of batch.events.slice(Math.max(0, reached - batch.at))) events.push(event)
    reached = Math.max(reached, batch.at + batch.events.length)
  }
  return reached < to ? null : events.slice(0, to - from)
}

/** The end of a log after a message. */
export function tailOf(message: Pick<StoredMessage, 'seq' | 'header'>): Tail {
  return readTail(message.header(headerName), message.seq)
}

function tailIn(answer: { readonly [key: string]: unknown }): Tail {
  const message = isObject(answer['message']) ? answer['message'] : {}
  const lines = bytesIn(message, 'hdrs').split('\r\n')
  const header = (name: string) =>
    lines
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim() ?? ''
  return readTail(header(headerName), numberIn(message, 'seq'))
}

function isNone(thrown: unknown): boolean {
  const cause = thrown instanceof Error && !(thrown instanceof ApiError) ? thrown.cause : thrown
  return cause instanceof ApiError && cause.number === noMessage
}
