import { headersOf, type NatsConnection } from './connection.ts'
import { ApiError, failureOf, wrongLastSequence } from './failure-of.ts'
import { numberIn, readAnswer } from './jetstream-api.ts'
import type { Link } from './link.ts'

/** A message to be kept. */
export interface NewMessage {
  readonly subject: string
  readonly data: Uint8Array
  /** The id by which the server recognises the message when it is sent again. */
  readonly id: string
  readonly header?: string
}

/**
 * Stores a message if the last one of its subject has the number `expected`; 0: the subject has none. After a lost
 * answer the same message is sent again under the same condition: the server recognises it by its id, stores it only
 * once, and answers again with its number. Resolves with this number; `null`: another message was the last one.
 */
export function publishAfter(
  link: Link,
  expected: number,
  message: NewMessage,
): Promise<number | null> {
  return link.insist(async () => {
    try {
      return await publishOnce(link, message, expectingSeq(expected))
    } catch (error) {
      if (error instanceof ApiError && error.number === wrongLastSequence) return null
      throw error
    }
  })
}

/** The condition that the last message of its subject has this number. */
export function expectingSeq(seq: number): string {
  return `Nats-Expected-Last-Subject-Sequence: ${seq}`
}

/** The condition that the last message of the stream is the one with this id: its number is not known yet. */
export function expectingMessage(id: string): string {
  return `Nats-Expected-Last-Msg-Id: ${id}`
}

/** Stores a message. Sent again, it is there once. */
export function publish(link: Link, message: NewMessage): Promise<number> {
  return link.insist(() => publishOnce(link, message))
}

async function publishOnce(link: Link, message: NewMessage, condition?: string): Promise<number> {
  const { subject, data } = message
  const answer = await link.ask({ subject, data, headers: headersFor(message, condition) })
  return numberIn(readAnswer(answer.data), 'seq')
}

/** Sends a message before it returns. Nothing is tried again. */
export function publishNow(
  connection: NatsConnection,
  message: NewMessage,
  condition: string,
): Promise<number> {
  const headers = headersFor(message, condition)
  return connection.request(message.subject, message.data, { headers, timeout: nowMs }).then(
    ({ data }) => numberIn(readAnswer(data), 'seq'),
    (error: unknown) => {
      throw failureOf(error)
    },
  )
}

/** Milliseconds after which the answer to such a message counts as lost. */
const nowMs = 4000

function headersFor({ id, header }: NewMessage, condition?: string): object {
  const headers = [`Nats-Msg-Id: ${id}`]
  if (header !== undefined) headers.push(header)
  if (condition !== undefined) headers.push(condition)
  return headersOf(headers)
}

/** The most bytes of the headers, of which only one has no fixed length. */
export const mostHeaderBytes = 1024
