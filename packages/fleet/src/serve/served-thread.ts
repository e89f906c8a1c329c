import type { FleetConnection } from '../wire/connection.ts'
import { patienceBeats } from '../wire/handshake.ts'
import { isObject } from '../wire/is-object.ts'
import { createLink, maxKeptBytes } from '../wire/link.ts'
import { messageOf } from '../wire/message-of.ts'
import { megabytes, type PackedMessage, packMessage, unpackMessage } from '../wire/pack.ts'
import type { ToolThread } from './tool-thread.ts'

export interface ServedThreadOptions {
  readonly connection: FleetConnection
  /** The subject on which the page listens. */
  readonly reply: string
  /** The subject on which this thread is reached. */
  readonly subject: string
  readonly heartbeatMs: number
  readonly thread: ToolThread
  /** Called once, when the thread is gone. */
  readonly ended: () => void
}

/** A thread that works for a page. */
export interface ServedThread {
  /** Call it with each frame of the page. */
  readonly receive: (frame: Uint8Array) => void
  /** Call it when the server says that no page listens. */
  readonly undelivered: () => void
  /** Ends the thread, and tells the page. */
  readonly end: () => void
}

/** Passes messages on between a page and its thread, until the page closes it, is gone, or the thread ends. */
export function serveThread(options: ServedThreadOptions): ServedThread {
  const { connection, reply, subject, heartbeatMs, thread, ended } = options
  let isClosed = false
  /** Whether nothing of the thread counts any more, although messages of it may still be on their way. */
  let isOver = false
  /** Whether the page has sent something, so that there may be a call. */
  let isUsed = false

  const link = createLink({
    // The subject of this thread is the reply subject, to which the server reports that no page listens.
    publish: (frame) => connection.publish(reply, frame, { reply: subject }),
    maxPayload: connection.info?.max_payload ?? 2 ** 20,
    failed: () => close(),
    closed: () => close(),
    broken: () => end(),
    answers: false,
    pauseMs: heartbeatMs / 2,
    now: () => performance.now(),
  })
  const terminate = terminating(thread)
  const close = () => {
    if (isClosed) return
    isClosed = true
    isOver = true
    beats.clear()
    // The place of the call is free when its thread is gone: code within the platform may take a while to end.
    void terminate().finally(ended)
  }
  const beats = startBeats({ heartbeatMs, beat: link.beat, lost: close })
  /**
   * Ends the thread, and tells the page why. Messages that wait are sent before that, as far as the page takes them.
   */
  const endBecause = (why: string) => {
    if (isOver) return
    isOver = true
    void terminate()
    link.send(packMessage({ type: 'broken', message: why }))
    link.whenPublished(close)
  }
  thread.onMessage((said) => {
    if (isOver) return
    const message = packed(said)
    if (link.hasRoom(message)) link.send(message)
    else endBecause(aheadText)
  })
  thread.onEnd(endBecause)
  const end = () => {
    if (!isClosed) link.close()
    close()
  }
  return {
    receive: (frame) => {
      isUsed = true
      const bytes = isClosed ? undefined : link.receive(frame)
      if (!bytes || isOver) return
      const message = unpackMessage(bytes)
      if (message === undefined) end()
      else thread.post(message)
    },
    undelivered: () => {
      beats.undelivered()
      // A page that has gone without sending anything leaves no call behind.
      if (!isUsed) close()
    },
    end,
  }
}

/** Ends a thread once, however often it is called. */
function terminating(thread: ToolThread): () => Promise<unknown> {
  let gone: Promise<unknown> | undefined
  return () => {
    gone ??= thread.terminate()
    return gone
  }
}

/** Gives signs of life, until the server says each time that no page listens. */
function startBeats({
  heartbeatMs,
  beat,
  lost,
}: {
  readonly heartbeatMs: number
  readonly beat: () => void
  readonly lost: () => void
}) {
  let isUndelivered = false
  let undeliveredBeats = 0
  const timer = setInterval(() => {
    undeliveredBeats = isUndelivered ? undeliveredBeats + 1 : 0
    isUndelivered = false
    if (undeliveredBeats >= patienceBeats) lost()
    else beat()
  }, heartbeatMs)
  return {
    undelivered: () => {
      isUndelivered = true
    },
    clear: () => clearInterval(timer),
  }
}

const aheadText = `The code has sent more than ${megabytes(maxKeptBytes)} that the page has not taken yet: let it send less at a time, or wait in between.`

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
