import type { Clock } from '@offthread/core/host'
import type { FleetConnection } from '../wire/connection.ts'
import { patienceBeats } from '../wire/handshake.ts'
import { createLink, type Link } from '../wire/link.ts'
import { packMessage, unpackMessage } from '../wire/pack.ts'
import type { Claim } from './ask-once.ts'
import type { FleetError } from './fleet-error.ts'
import { problems } from './problems.ts'

export interface RemoteThreadOptions {
  readonly connection: FleetConnection
  readonly claim: Claim
  readonly heartbeatMs: number
  readonly clock: Clock
  /** Called for each frame that counts as a message, with a function that reads it: its result may be any value. */
  readonly message: (read: () => unknown) => void
  readonly failed: (error: FleetError) => void
}

/** A thread in a process of the fleet. */
export interface RemoteThread {
  /** Throws for what cannot be sent to another machine, and for what is too large. */
  readonly send: (message: unknown) => void
  /** Call it with each frame that comes from the thread. */
  readonly receive: (frame: Uint8Array) => void
  /** Ends the thread at once, as far as its process is reached. */
  readonly close: () => void
}

/** How many bytes of inner pieces count as one message. */
const countedBytes = 100_000

export function createRemoteThread(options: RemoteThreadOptions): RemoteThread {
  const { connection, claim, heartbeatMs, clock, message, failed } = options
  const { process, subject } = claim
  const patienceMs = patienceBeats * heartbeatMs
  let cancelSilence = () => {}
  /** Bytes of pieces since a frame counted as a message. */
  let uncounted = 0

  const waitForLife = () => {
    cancelSilence()
    const dueAt = clock.monotonic() + patienceMs
    cancelSilence = clock.setTimer(patienceMs, () => {
      // After a freeze the page first has to read the messages that have come, which may be signs of life.
      if (clock.monotonic() > dueAt + heartbeatMs) waitForLife()
      else failed(problems.silent(process, patienceMs))
    })
  }
  const link = createLink({
    publish: (frame) => connection.publish(subject, frame),
    maxPayload: connection.info?.max_payload ?? 2 ** 20,
    failed: (error) => failed(problems.ended(error)),
    closed: () => failed(problems.left(process)),
    broken: (why) => failed(problems[why](process)),
    answers: true,
    pauseMs: heartbeatMs / 2,
    now: clock.monotonic,
  })
  waitForLife()

  return {
    send: (sent) => {
      const packed = packMessage(sent)
      if (link.hasRoom(packed)) link.send(packed)
      else failed(problems.notTaken(process))
    },
    receive: (frame) => {
      waitForLife()
      // Every frame counts as a message, but small inner pieces count together: an honest message may have thousands.
      uncounted += frame.length
      if (uncounted < countedBytes && link.takeInner(frame)) return
      uncounted = 0
      message(() => readFrame(link, frame))
    },
    close: () => {
      cancelSilence()
      link.close()
    },
  }
}

function readFrame(link: Link, frame: Uint8Array): unknown {
  const bytes = link.receive(frame)
  return bytes && unpackMessage(bytes)
}
