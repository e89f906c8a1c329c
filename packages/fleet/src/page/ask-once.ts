import type { Clock } from '@offthread/core/host'
import { type FleetConnection, type NatsMessage, noResponders } from '../wire/connection.ts'
import { fleetVersion, readOpenAnswer, writeHandshake } from '../wire/handshake.ts'
import { newId, type Subjects } from '../wire/subjects.ts'
import type { FleetError } from './fleet-error.ts'
import { problems } from './problems.ts'

export interface AskOptions {
  readonly fleet: string
  readonly subjects: Subjects
  /** The first part of the subjects that answers are sent to. */
  readonly inbox: string
  readonly heartbeatMs: number
  readonly clock: Clock
}

/** A process has started a thread. */
export interface Claim {
  /** The name of the process, for people. */
  readonly process: string
  /** The subject on which the thread is reached. */
  readonly subject: string
}

export interface Asking {
  readonly claimed: (claim: Claim) => void
  /** Called with each frame that comes after the claim. */
  readonly frame: (data: Uint8Array) => void
  /** Called when no process has answered, or none has room: the request may be made again. */
  readonly refused: (why: FleetError) => void
  /** Called when no process will take the request. */
  readonly failed: (error: FleetError) => void
}

/** The most messages that are no answer. After them the request is made again with another inbox. */
const maxUnreadable = 1000

/**
 * Asks a fleet for a thread: one process with room gets the request; if there is none, any process. Returns a function
 * that ends the request and the messages from the thread.
 */
export function askOnce(
  connection: FleetConnection,
  { fleet, subjects, inbox, heartbeatMs, clock }: AskOptions,
  asking: Asking,
): () => void {
  const callId = newId()
  const reply = `${inbox}.${callId}`
  let isClaimed = false
  let asksAll = false
  let unreadable = 0

  const request = (subject: string) => {
    const bytes = writeHandshake({ version: fleetVersion, callId, heartbeatMs })
    connection.publish(subject, bytes, { reply })
  }
  const fail = () => asking.refused(problems.noAnswer(fleet))
  const receiveNone = () => {
    if (asksAll) return asking.failed(problems.noProcess(fleet))
    asksAll = true
    request(subjects.openFull)
  }
  const receive = ({ data, headers }: NatsMessage) => {
    if (isClaimed) return asking.frame(data)
    if (headers?.code === noResponders) return receiveNone()
    const answer = readOpenAnswer(data)
    // This is no message of a process, so the answer may still come.
    if (!answer) {
      unreadable += 1
      if (unreadable > maxUnreadable) fail()
      return
    }
    const { version, process } = answer
    if (version !== fleetVersion) return asking.failed(problems.otherVersion(process, version))
    if (answer.type === 'refuse') return asking.refused(problems.noRoom(fleet))
    isClaimed = true
    cancelTimer()
    asking.claimed({ process, subject: subjects.call(answer.processId, callId) })
  }
  const subscription = connection.subscribe(reply, {
    callback: (error, message) => {
      if (error) asking.failed(problems.noInbox(reply, error))
      else receive(message)
    },
  })
  // A process that can answer does it without delay, so one beat is time enough.
  const cancelTimer = clock.setTimer(heartbeatMs, fail)
  request(subjects.open)
  return () => {
    cancelTimer()
    subscription.unsubscribe()
  }
}
