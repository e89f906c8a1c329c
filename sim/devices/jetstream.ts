import {
  isJsonObject,
  type Json,
  type JsonObject,
  tryJson,
} from '../../packages/core/src/internal/json.ts'

/** A message that a stream keeps. */
interface Kept {
  readonly seq: number
  readonly subject: string
  readonly headers: Headers
  readonly data: Uint8Array
}

/** By name in lower case. */
export type Headers = ReadonlyMap<string, string>

/** What a client has sent. */
export interface Sent {
  readonly subject: string
  readonly headers: Headers
  readonly data: Uint8Array
}

/** Hands a message to the subject of a consumer. Returns whether any client listens to it. */
type Deliver = (subject: string, kept: Kept, place: string) => boolean

/** The part of JetStream that a storage uses, as nats-server 2.9 does it: streams, conditions, names, consumers. */
export interface JetStream {
  /** The answer to a request of the API, or to a message for a stream; `null` if it is neither. */
  readonly answer: (sent: Sent) => Json | null
}

interface Stream {
  readonly name: string
  readonly config: JsonObject
  messages: Kept[]
  lastSeq: number
  readonly known: Map<string, number>
}

interface Consumer {
  readonly stream: Stream
  readonly filter: string
  readonly inbox: string
  /** Whether the consumer starts with the last message of each subject. */
  readonly startsWithLasts: boolean
  next: number
  count: number
}

export function createJetStream(deliver: Deliver): JetStream {
  const streams = new Map<string, Stream>()
  const { consume, push } = createConsumers(deliver)

  function api(method: string, body: JsonObject): Json {
    if (method === 'INFO') return {}
    const end = method.lastIndexOf('.')
    const [what, name] = [method.slice(0, end), method.slice(end + 1)]
    const stream = streams.get(name)
    if (what === 'STREAM.CREATE') {
      const config = stream?.config ?? body
      const created = { name, config, messages: [], lastSeq: 0, known: new Map() }
      if (!stream) streams.set(name, created)
      return { config }
    }
    if (!stream) return refusal(10059, 'stream not found')
    if (what === 'STREAM.INFO') return { config: stream.config }
    if (what === 'STREAM.MSG.GET') return found(stream, body)
    if (what === 'STREAM.PURGE') return purge(stream, body)
    if (what === 'CONSUMER.CREATE') return consume(stream, objectIn(body, 'config'))
    throw new Error(`The model has no ${method}.`)
  }

  return {
    answer: (sent) => {
      if (sent.subject.startsWith('$JS.API.')) {
        return api(sent.subject.slice('$JS.API.'.length), bodyOf(sent))
      }
      const stream = [...streams.values()].find(({ config }) => {
        const { subjects } = config
        return Array.isArray(subjects) && subjects.some((one) => matches(String(one), sent.subject))
      })
      if (!stream) return null
      const kept = keep(stream, sent)
      push(stream)
      return kept
    },
  }
}

function createConsumers(deliver: Deliver) {
  const consumers = new Set<Consumer>()

  function pushTo(consumer: Consumer): void {
    const { stream, filter, inbox, next, startsWithLasts } = consumer
    const found = stream.messages.filter(
      ({ seq, subject }) => seq >= next && matches(filter, subject),
    )
    const due = startsWithLasts && consumer.count === 0 ? lastOfEach(found) : found
    for (const [index, kept] of due.entries()) {
      consumer.next = kept.seq + 1
      consumer.count += 1
      const place = `$JS.ACK.s.c.1.${kept.seq}.${consumer.count}.0.${due.length - 1 - index}`
      // Without a listener the consumer is forgotten.
      if (!deliver(inbox, kept, place)) consumers.delete(consumer)
    }
  }

  return {
    push: (stream: Stream): void => {
      for (const consumer of consumers) if (consumer.stream === stream) pushTo(consumer)
    },
    consume: (stream: Stream, config: JsonObject): Json => {
      const consumer = {
        ...{ stream, filter: String(config['filter_subject']), count: 0 },
        ...{ inbox: String(config['deliver_subject']), next: Number(config['opt_start_seq'] ?? 1) },
        startsWithLasts: config['deliver_policy'] === 'last_per_subject',
      }
      consumers.add(consumer)
      pushTo(consumer)
      return { num_pending: 0, delivered: { consumer_seq: consumer.count } }
    },
  }
}

/** The last message of each subject. */
function lastOfEach(found: readonly Kept[]): readonly Kept[] {
  const last = new Map(found.map((kept) => [kept.subject, kept]))
  return found.filter((kept) => last.get(kept.subject) === kept)
}

/** The answer to a message for a stream. */
function keep(stream: Stream, { subject, headers, data }: Sent): Json {
  const { messages, known, config } = stream
  const id = headers.get('nats-msg-id') ?? ''
  const before = known.get(id)
  if (before !== undefined) return { stream: stream.name, seq: before, duplicate: true }
  const last = messages.findLast((one) => one.subject === subject)?.seq ?? 0
  const expected = headers.get('nats-expected-last-subject-sequence')
  if (expected !== undefined && Number(expected) !== last) {
    return refusal(10071, `wrong last sequence: ${last}`)
  }
  const expectedId = headers.get('nats-expected-last-msg-id')
  if (expectedId !== undefined && expectedId !== messages.at(-1)?.headers.get('nats-msg-id')) {
    return refusal(10070, 'wrong last msg ID')
  }
  stream.lastSeq += 1
  const { lastSeq: seq } = stream
  if (id !== '') known.set(id, seq)
  const isAlone = config['max_msgs_per_subject'] === 1
  if (isAlone) stream.messages = messages.filter((one) => one.subject !== subject)
  stream.messages.push({ seq, subject, headers, data })
  return { stream: stream.name, seq }
}

function found({ messages }: Stream, body: JsonObject): Json {
  const { last_by_subj: last, next_by_subj: next, seq } = body
  const one =
    last === undefined
      ? messages.find((kept) => kept.seq >= Number(seq) && kept.subject === next)
      : messages.findLast(({ subject }) => subject === last)
  if (!one) return refusal(10037, 'no message found')
  const lines = [...one.headers].map(([name, value]) => `${nameOf(name)}: ${value}\r\n`)
  const hdrs = btoa(`NATS/1.0\r\n${lines.join('')}\r\n`)
  const data = btoa(String.fromCharCode(...one.data))
  return { message: { subject: one.subject, seq: one.seq, hdrs, data } }
}

function purge(stream: Stream, { filter, seq }: JsonObject): Json {
  stream.messages = stream.messages.filter(
    (one) => !matches(String(filter), one.subject) || (seq !== undefined && one.seq >= Number(seq)),
  )
  return { success: true }
}

/** The name of a header as it is read: only this one is read with a capital. */
function nameOf(name: string): string {
  return name === 'offthread' ? 'Offthread' : name
}

function refusal(code: number, description: string): Json {
  return { error: { err_code: code, description } }
}

function bodyOf({ data }: Sent): JsonObject {
  const text = new TextDecoder().decode(data)
  const body = text === '' ? {} : tryJson(text)
  return isJsonObject(body) ? body : {}
}

function objectIn(body: JsonObject, name: string): JsonObject {
  const value = body[name]
  return isJsonObject(value) ? value : {}
}

export function matches(pattern: string, subject: string): boolean {
  const [parts, tokens] = [pattern.split('.'), subject.split('.')]
  if (parts.at(-1) === '>') parts.splice(-1, 1, ...tokens.slice(parts.length - 1).map(() => '*'))
  return (
    parts.length === tokens.length &&
    parts.every((part, index) => part === '*' || part === tokens[index])
  )
}
