import { inWorkers, type Tool } from '@offthread/core'
import { platformClock, type ToolHost, type WorkerHostOptions } from '@offthread/core/host'
import { subjectsOf } from '../wire/subjects.ts'
import type { FleetError } from './fleet-error.ts'
import { startFleetWorker } from './fleet-worker.ts'
import { createLine, type FleetConnector } from './line.ts'

/** Which fleet runs tools, and how long it is waited for. */
export interface FleetOptions extends WorkerHostOptions {
  /** The name of the fleet, as its processes were given it: letters, digits, `_` and `-`. Default `'default'`. */
  readonly fleet?: string
  /**
   * Milliseconds in which a process has to take the call, when at first all have no room or do not answer. Then its
   * thread has 10,000 to load the script. Default 30,000.
   */
  readonly bootTimeoutMs?: number
  /**
   * Milliseconds between two signs of life of a process, from 50 to 60,000. When three are missing, the call has crashed,
   * and when the page is gone for as long, the process ends the call. Default 2,000.
   */
  readonly heartbeatMs?: number
  /** The first part of the subjects that processes answer to: the `inboxPrefix` of the connection. Default `'_INBOX'`. */
  readonly inbox?: string
}

/** Milliseconds that a thread has to load its script. */
const scriptMs = 10_000

/**
 * Runs tools on other machines, in Node processes that joined a fleet with `offthread-tools serve ./tools.worker.js`: each
 * call in a thread of its own, which is started for it and terminated after it. The script is the one that a worker of the
 * page would run, and everything that holds for a worker holds for a thread: progress, log, partial results, files,
 * Stop, time limits.
 *
 * A call is sent to one process, once. When that ends, hangs or cannot be reached for too long, the call has crashed, and
 * may have had effects: nothing runs it again but a `retry` that its tool allows.
 *
 * `connection` is one of `@nats-io/nats-core`, or a function that opens one when the first call needs it.
 *
 * Throws a `TypeError` for an empty list, two tools of one name, a tool whose place is not `'worker'`, and an illegal name of
 * a fleet. `check` rejects with a `FleetError`, whose sentences are also what a call ends with.
 *
 * @example
 * ```ts
 * const tools = inFleet([trainModel], () => wsconnect({ servers: 'wss://nats.example.com' }))
 * ```
 */
export function inFleet<const T extends Tool>(
  tools: readonly T[],
  connection: FleetConnector,
  options: FleetOptions = {},
): ToolHost<T> {
  const { fleet = 'default', heartbeatMs = 2000, inbox = '_INBOX', ...others } = options
  const { bootTimeoutMs: seekTimeoutMs = 30_000, clock = platformClock } = options
  const subjects = subjectsOf(fleet)
  const line = createLine(connection)
  let lastFailure: FleetError | undefined
  const onFailure = (error: FleetError) => {
    lastFailure = error
  }

  // For the page it is a worker like any other: one handshake, one protocol, one way to end.
  const host = inWorkers(
    tools,
    () =>
      startFleetWorker({
        ...{ line, fleet, subjects, inbox, seekTimeoutMs, heartbeatMs, clock },
        onFailure,
      }),
    { ...others, bootTimeoutMs: seekTimeoutMs + scriptMs },
  )
  return {
    ...host,
    check: () =>
      host.check().catch((error: unknown) => {
        throw error instanceof Error && error.message === lastFailure?.message ? lastFailure : error
      }),
  }
}
