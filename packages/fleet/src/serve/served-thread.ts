import type { FleetConnection } from '../wire/connection.ts'
import { patienceBeats } from '../wire/handshake.ts'
import { isObject } from '../wire/is-object.ts'
import { createLink } from '../wire/link.ts'
import { messageOf } from '../wire/message-of.ts'
import { type PackedMessage, packMessage, unpackMessage } from '../wire/pack.ts'
import type { ToolThread } from './tool-thread.ts'

export interface ServedThreadOptions {
  readonly connection: FleetConnection
  /** Where the page listens. */
  readonly reply: string
  /** Where this thread is reached. */
  readonly subject: string
  readonly heartbeatMs: number
  readonly thread: ToolThread
  /** The thread is gone. Called once. */
  readonly ended: () => void
}

/** A thread that works for a page. */
export interface ServedThread {
  /** To be called with each frame of the page. */
  readonly receive: (frame: Uint8Array) => void
  /** To be called when the server says that no page listens. */
  readonly undelivered: () => void
  /** Ends it, and says so to the page. */
  readonly end: () => void
}

/** Passes messages on between a page and its thread, until the page closes it, is gone, or the thread ends. */
export function serveThread(options: ServedThreadOptions): ServedThread {
  const { connection, reply, subject, heartbeatMs, thread, ended } = options
  let isClosed = false
  /** The page has sent something: there may be a call. */
  let isUsed = false
  let isUndelivered = false
  let undeliveredBeats = 0

  const link = createLink({
    // With this thread's subject as the reply subject, to which the server reports that no page listens.
    publish: (frame) => connection.publish(reply, frame, { reply: subject }),
    maxPayload: connection.info?.max_payload ?? 2 ** 20,
    failed: () => close(),
    closed: () => close(),
    broken: () => end(),
    answers: false,
    pauseMs: heartbeatMs / 2,
    now: () => performance.now(),
  })
  const timer = setInterval(() => {
    undeliveredBeats = isUndelivered ? undeliveredBeats + 1 : 0
    isUndelivered = false
    if (undeliveredBeats >= patienceBeats) close()
    else link.beat()
  }, heartbeatMs)

  const close = () => {
    if (isClosed) return
    isClosed = true
    clearInterval(timer)
    // The place of the call is free when its thread is gone: code within the platform may take a while to end.
    void thread.terminate().finally(ended)
  }
  const say = (message: PackedMessage) => {
    if (!isClosed) link.send(message)
  }
  thread.onMessage((message) => say(packed(message)))
  thread.onEnd((why) => {
    say(packMessage({ type: 'broken', message: why }))
    close()
  })
  const end = () => {
    if (!isClosed) link.close()
    close()
  }
  const receive = (frame: Uint8Array) => {
    const bytes = link.receive(frame)
    if (!bytes || isClosed) return
    const message = unpackMessage(bytes)
    if (message === undefined) end()
    else thread.post(message)
  }

  return {
    receive: (frame) => {
      isUsed = true
      if (!isClosed) receive(frame)
    },
    undelivered: () => {
      isUndelivered = true
      // A page that did not wait for its thread leaves no call behind.
      if (!isUsed) close()
    },
    end,
  }
}

/**
 * A message of a thread. If it cannot be sent, a message that says so takes its place, because the end of a call must
 * not get lost.
 */
function packed(message: unknown): PackedMessage {
  try {
    return packMessage(message)
  } catch (error) {
    const said = `The result could not be sent: ${messageOf(error)}`
    if (!isObject(message) || message['type'] !== 'settled') {
      return packMessage({ type: 'broken', message: said })
    }
    const settlement = { kind: 'threw', errorKind: 'invalid_result', message: said, details: null }
    return packMessage({ type: 'settled', executionId: message['executionId'], settlement })
  }
}
