import type { NatsConnection, NatsMessage } from '../../packages/nats/src/connection.ts'
import { createJetStream, type Headers, type JetStream, matches, type Sent } from './jetstream.ts'
import { createWire, type Wire, type WireOptions, wayMs, world } from './wire.ts'

/** A server that devices connect to. */
export interface Network {
  readonly connect: () => Client
}

/** One device's connection, and what happens to it. */
export interface Client extends Pick<Wire, 'cuts' | 'isCut' | 'leave'> {
  readonly connection: NatsConnection
  /** Nothing passes for this many milliseconds. Messages under way are lost, before or after the server has them. */
  readonly cut: (ms: number) => void
}

export interface NetworkOptions extends WireOptions {
  /** Counts what goes wrong. */
  readonly noteFault: (fault: 'answer_late' | 'delivery_doubled' | 'connection_cut') => void
}

interface Subscription {
  readonly subject: string
  readonly take: (message: Message) => void
}

type Message = Omit<NatsMessage, 'respond'>

/** Milliseconds of a late answer: longer than a client waits. */
const lateMs = 4500

export function createNetwork(options: NetworkOptions): Network {
  const clients = new Set<ReadonlySet<Subscription>>()
  /** Returns whether any client listens, but for the one that does not hear itself. */
  function deliver(inbox: string, message: Message, deaf?: ReadonlySet<Subscription>): boolean {
    const listening = [...clients].flatMap((one) =>
      one === deaf ? [] : [...one].filter(({ subject }) => matches(subject, inbox)),
    )
    for (const { take } of listening) take(message)
    return listening.length > 0
  }
  const { answer } = createJetStream((inbox, { subject, headers, data }, reply) =>
    deliver(inbox, { subject, reply, data, headers: shown(headers) }),
  )
  const publish: Server['publish'] = (message, deaf) => deliver(message.subject, message, deaf)
  return { connect: () => createClient(options, { clients, publish, answer }) }
}

interface Server extends Pick<JetStream, 'answer'> {
  readonly clients: Set<ReadonlySet<Subscription>>
  readonly publish: (message: Message, deaf?: ReadonlySet<Subscription>) => boolean
}

function createClient(options: NetworkOptions, server: Server): Client {
  const { random, noteFault } = options
  const { clients } = server
  const wire = createWire(options)
  const listening = new Set<Subscription>()
  // The client may not get its own messages, as with the option `noEcho` of a connection.
  const deaf = random() < 0.5 ? listening : undefined
  const ports = {
    ...options,
    server,
    wire,
    listening,
    receive: createReceive(options, wire, server),
  }
  clients.add(listening)
  return {
    connection: {
      info: { version: '2.9.10', max_payload: 4096, jetstream: true },
      status: wire.status,
      closed: () => new Promise(() => {}),
      publish: (subject, data = '') =>
        wire.send(() => void server.publish({ subject, data: encoder.encode(data) }, deaf)),
      subscribe: (subject, { callback }) =>
        subscribe(ports, subject, (message) => callback(null, message)),
      request: createRequest(ports),
    },
    cuts: wire.cuts,
    isCut: wire.isCut,
    cut: (ms) => {
      noteFault('connection_cut')
      wire.cut(ms, {
        // The server may not notice it: then it believes that the device listens.
        onCut: () => random() < 0.5 && clients.delete(listening),
        onReturn: () => clients.add(listening),
      })
    },
    leave: () => {
      wire.leave()
      clients.delete(listening)
    },
  }
}

interface ClientPorts extends NetworkOptions {
  readonly server: Server
  readonly wire: Wire
  readonly listening: Set<Subscription>
  readonly receive: ReturnType<typeof createReceive>
}

/** Hands a message of the server to the device. What a stream has may come twice. */
function createReceive({ random, noteFault }: NetworkOptions, wire: Wire, server: Server) {
  return (take: (message: NatsMessage) => void, message: Message): void => {
    if (wire.isCut()) return
    const respond = () => {
      wire.send(() => void server.publish({ subject: message.reply ?? '', data: new Uint8Array() }))
      return true
    }
    const deliver = () => take({ ...message, respond })
    wire.back(deliver)
    if (!message.reply?.startsWith('$JS.ACK') || random() > 0.05) return
    noteFault('delivery_doubled')
    wire.back(deliver)
  }
}

function subscribe(
  { wire, listening, receive }: ClientPorts,
  subject: string,
  take: (message: NatsMessage) => void,
) {
  const own = { subject, take: (message: Message) => receive(take, message) }
  let isOver = false
  const add = () => void (isOver || listening.add(own))
  // Added in order with what is asked later. A client that comes back subscribes again.
  if (wire.isCut()) add()
  else wire.send(add)
  return {
    unsubscribe: () => {
      isOver = true
      listening.delete(own)
    },
  }
}

interface Settle {
  readonly resolve: (message: NatsMessage) => void
  readonly reject: (error: Error) => void
}

function createRequest(ports: ClientPorts): NatsConnection['request'] {
  const { timeline, random, noteFault, wire, server } = ports

  function ask(sent: Sent, settle: Settle): void {
    const answer = server.answer(sent)
    if (answer === null) {
      askOthers(ports, sent, settle)
      return
    }
    const isLate = random() < 0.03
    if (isLate) noteFault('answer_late')
    const data = encoder.encode(JSON.stringify(answer))
    const arrive = wire.unlessCut(() => settle.resolve({ subject: '', data, respond: () => false }))
    timeline.after(isLate ? lateMs : random() * wayMs, arrive, world)
  }

  return (subject, data, { timeout, headers } = { timeout: 0 }) =>
    new Promise((resolve, reject) => {
      const stop = timeline.after(timeout, () => reject(named('TimeoutError')), world)
      const settle = {
        resolve: (message: NatsMessage) => {
          stop()
          resolve(message)
        },
        reject: (error: Error) => {
          stop()
          reject(error)
        },
      }
      const bytes = typeof data === 'string' ? encoder.encode(data) : data
      wire.send(() => ask({ subject, data: bytes, headers: parsed(headers) }, settle))
    })
}

function askOthers(
  { random, wire, server, listening, receive }: ClientPorts,
  { subject, data }: Sent,
  { resolve, reject }: Settle,
): void {
  const reply = `reply.${random()}`
  const own: Subscription = {
    subject: reply,
    take: (message) => {
      listening.delete(own)
      receive(resolve, message)
    },
  }
  listening.add(own)
  if (server.publish({ subject, reply, data })) return
  listening.delete(own)
  wire.back(() => reject(named('NoResponders')))
}

const encoder = new TextEncoder()

function named(name: string): Error {
  return Object.assign(new Error(name), { name })
}

function parsed(headers: object | undefined): Headers {
  const bytes = isEncoder(headers) ? headers.encode() : null
  const lines = bytes ? new TextDecoder().decode(bytes).split('\r\n') : []
  return new Map(
    lines.slice(1).flatMap((line) => {
      const at = line.indexOf(':')
      return at > 0 ? [[line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const] : []
    }),
  )
}

function isEncoder(headers: object | undefined): headers is { encode: () => Uint8Array } {
  return headers !== undefined && 'encode' in headers
}

function shown(headers: Headers) {
  return { code: 0, get: (name: string) => headers.get(name.toLowerCase()) ?? '' }
}
