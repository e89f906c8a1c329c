import type { JsonObject } from '@offthread/core'
import type { Clock } from '@offthread/core/host'
import type { NatsMessage } from './connection.ts'
import { NoAnswer } from './failure-of.ts'
import { isObject } from './is-object.ts'
import { askOnce, numberIn } from './jetstream-api.ts'
import type { Link, Question } from './link.ts'
import type { Names } from './names.ts'

/** A message that the server keeps. */
export interface StoredMessage {
  readonly subject: string
  /** The number of the message in the stream. */
  readonly seq: number
  readonly header: (name: string) => string
  /** The content; empty if only the headers are delivered. */
  readonly data: Uint8Array
  /** How many messages come after this one. */
  readonly pending: number
}

interface Selection {
  readonly stream: string
  readonly subject: string
  /** Messages are wanted from this number of the stream on. Absent: the last one of each subject. */
  readonly from?: number
  readonly headersOnly?: boolean
}

interface Receiver {
  /** What it throws breaks the delivery. */
  readonly onMessage: (message: StoredMessage) => void
  /** All stored messages were delivered. */
  readonly onIdle?: () => void
  /** Called once: messages may be missing from here on. */
  readonly onBreak: (error: unknown) => void
}

export interface Deliveries {
  /** Lets the server send messages, in order, as they come. Returns a function that ends this. */
  readonly start: (wanted: Selection, receiver: Receiver) => () => void
  /** All stored messages of a selection, up to the first one for which `isLast` is true. */
  readonly collect: (
    wanted: Selection,
    isLast?: (message: StoredMessage) => boolean,
  ) => Promise<readonly StoredMessage[]>
}

/** Milliseconds between two signs of life of a delivery without messages. */
const heartbeatMs = 5000

export interface DeliveryOptions {
  readonly link: Link
  readonly names: Names
  readonly newId: () => string
  readonly clock: Clock
}

export function createDeliveries(options: DeliveryOptions): Deliveries {
  const start: Deliveries['start'] = (wanted, receiver) => startDelivery(options, wanted, receiver)
  return {
    start,
    collect: (wanted, isLast = () => false) =>
      options.link.insist(
        () =>
          new Promise((resolve, reject) => {
            const messages: StoredMessage[] = []
            const done = () => {
              stop()
              resolve(messages)
            }
            const stop = start(wanted, {
              onMessage: (message) => {
                messages.push(message)
                if (message.pending === 0 || isLast(message)) done()
              },
              onIdle: done,
              onBreak: reject,
            })
          }),
      ),
  }
}

function startDelivery(
  { link, names, newId, clock }: DeliveryOptions,
  wanted: Selection,
  receiver: Receiver,
): () => void {
  const inbox = names.delivery(newId())
  let received = 0
  let isOver = false
  let stopWaiting = () => {}

  function end(): void {
    isOver = true
    for (const stop of [stopWaiting, stopWatching, unsubscribe]) stop()
  }

  function fail(error: unknown): void {
    if (isOver) return
    end()
    receiver.onBreak(error)
  }

  const isMissing = () => fail(new NoAnswer('late', inbox))
  const expectMore = () => {
    stopWaiting()
    stopWaiting = clock.setTimer(2 * heartbeatMs, isMissing)
  }

  function take(message: NatsMessage): void {
    if (isOver) return
    expectMore()
    try {
      if (message.headers?.code === 100) takeSign(message)
      else takeStored(message)
    } catch (error) {
      fail(error)
    }
  }

  function takeStored({ reply = '', subject, data, headers }: NatsMessage): void {
    const { seq, count, pending } = placeOf(reply)
    received += 1
    const header = (name: string) => headers?.get(name) ?? ''
    if (count === received) receiver.onMessage({ subject, seq, pending, data, header })
    else isMissing()
  }

  /** Reads a sign of life, or the server's question whether it may go on, which any answer allows. */
  function takeSign({ reply, headers }: NatsMessage): void {
    const stalled = reply || headers?.get('Nats-Consumer-Stalled')
    if (stalled) link.publish(stalled, () => [''])
    const last = headers?.get('Nats-Last-Consumer') ?? ''
    if (last !== '' && Number(last) !== received) isMissing()
    else if (last !== '' && !stalled) receiver.onIdle?.()
  }

  const unsubscribe = link.subscribe(inbox, take)
  const stopWatching = link.watch({ onCut: () => fail(new NoAnswer('cut', inbox)) })
  expectMore()
  askOnce(link, consumerFor(wanted, inbox)).then((info) => {
    if (!isOver && received === 0 && pendingOf(info) === 0) receiver.onIdle?.()
  }, fail)
  return end
}

/** A consumer that the server forgets when it has no listener any more. */
function consumerFor({ stream, subject, from, headersOnly }: Selection, inbox: string): Question {
  const config: JsonObject = {
    ...{ deliver_subject: inbox, filter_subject: subject, ack_policy: 'none', max_deliver: 1 },
    ...{ flow_control: true, idle_heartbeat: heartbeatMs * 1_000_000, replay_policy: 'instant' },
    ...{ mem_storage: true, num_replicas: 1 },
    ...(headersOnly && { headers_only: true }),
    ...(from === undefined
      ? { deliver_policy: 'last_per_subject' }
      : { deliver_policy: 'by_start_sequence', opt_start_seq: Math.max(1, from) }),
  }
  const data = JSON.stringify({ stream_name: stream, config })
  return { subject: `$JS.API.CONSUMER.CREATE.${stream}`, data }
}

function pendingOf(info: { readonly [key: string]: unknown }): number {
  const { delivered } = info
  // Messages that were delivered already are about to arrive, so they count as well.
  return (
    numberIn(info, 'num_pending') + (isObject(delivered) ? numberIn(delivered, 'consumer_seq') : 0)
  )
}

/** The numbers in the reply subject of a message: $JS.ACK, in later servers two more tokens, and then these. */
function placeOf(reply: string): {
  readonly seq: number
  /** How many messages the delivery has had, this one included. */
  readonly count: number
  readonly pending: number
} {
  const tokens = reply.split('.')
  const first = tokens.length > 9 ? 6 : 4
  const [, seq = 0, count = 0, , pending = 0] = tokens.slice(first).map(Number)
  return { seq, count, pending }
}
