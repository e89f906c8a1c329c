import { type FleetConnection, type NatsMessage, noResponders } from '../wire/connection.ts'
import {
  fleetVersion,
  type OpenRequest,
  type RefusalReason,
  readOpenRequest,
  writeHandshake,
} from '../wire/handshake.ts'
import { newId, subjectsOf } from '../wire/subjects.ts'
import { type ServedThread, serveThread } from './served-thread.ts'
import { receiving, takeRequests } from './take-requests.ts'
import type { ToolThread } from './tool-thread.ts'

export interface ServeOptions {
  readonly connection: FleetConnection
  readonly fleet: string
  /** The name of this process, for people. */
  readonly name: string
  /** The most calls at a time. */
  readonly maxCalls: number
  readonly startThread: () => ToolThread
}

/** A process that takes calls of a fleet. */
export interface FleetMember {
  /** Takes no more calls. Resolves when the last one has ended, and no request waits for an answer. */
  readonly leave: () => Promise<void>
  /** Ends all calls. */
  readonly end: () => void
}

/** Joins a fleet. */
export function serveFleet(options: ServeOptions): FleetMember {
  const { connection, fleet, name, maxCalls } = options
  const said = { version: fleetVersion, process: name } as const
  const subjects = subjectsOf(fleet)
  const processId = newId()
  const threads = new Map<string, ServedThread>()
  let isLeaving = false
  let left = () => {}

  const hasRoom = () => !isLeaving && threads.size < maxCalls
  const receiveRequest = ({ data, reply }: NatsMessage) => {
    const request = readOpenRequest(data)
    // Answers go to inboxes only, never to another subject that a message names.
    if (!request || !reply?.startsWith('_INBOX')) return
    const { callId } = request
    if (callId === undefined) refuse(reply, 'version')
    else if (hasRoom() && !threads.has(callId)) start(request, reply)
    else refuse(reply, isLeaving ? 'ending' : 'full')
  }
  const refuse = (reply: string, reason: RefusalReason) =>
    connection.publish(reply, writeHandshake({ ...said, type: 'refuse', reason }))
  const start = ({ callId, heartbeatMs }: OpenRequest, reply: string) => {
    const subject = subjects.call(processId, callId)
    const claim = writeHandshake({ ...said, type: 'claim', processId })
    connection.publish(reply, claim, { reply: subject })
    const thread = options.startThread()
    const ended = () => {
      threads.delete(callId)
      if (!isLeaving) desk.showRoom()
      else if (threads.size === 0) left()
    }
    const parts = { connection, reply, subject, heartbeatMs, thread, ended }
    threads.set(callId, serveThread(parts))
    desk.showRoom()
  }
  const receiveFrame = ({ subject, data, headers }: NatsMessage) => {
    const thread = threads.get(subject.slice(subject.lastIndexOf('.') + 1))
    if (headers?.code === noResponders) thread?.undelivered()
    else thread?.receive(data)
  }

  connection.subscribe(subjects.call(processId, '*'), { callback: receiving(receiveFrame) })
  const desk = takeRequests(connection, subjects, { hasRoom, receive: receiveRequest })

  return {
    leave: async () => {
      isLeaving = true
      const noThreads = new Promise<void>((resolve) => {
        left = resolve
        if (threads.size === 0) resolve()
      })
      await Promise.all([desk.leave(), noThreads])
    },
    end: () => {
      for (const thread of threads.values()) thread.end()
    },
  }
}
