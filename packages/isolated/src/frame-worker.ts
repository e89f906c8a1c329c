import type { CallListener, Clock, WorkerLike } from '@offthread/core/host'
import { createBroker } from './broker.ts'
import type { Frame, FrameListener } from './frame.ts'
import { isObject } from './is-object.ts'
import { IsolationError } from './isolation-error.ts'
import { messageOf } from './message-of.ts'
import type { NetworkRules } from './network.ts'

export interface FrameWorkerOptions {
  readonly openFrame: (listener: FrameListener) => Frame
  /** The code of the worker. It is asked for once. */
  readonly code: () => Promise<string>
  /** The rules of the network; without them there is none. */
  readonly rules: NetworkRules | undefined
  readonly clock: Clock
  /** The listener of the call that a request belongs to. */
  readonly listenerOf: (request: object) => CallListener | undefined
}

/** How many lines about its requests a call's log takes. */
const maxLines = 100

/** A worker in an isolated frame, as if it were one of the page. Its end is the removal of the frame. */
export function startFrameWorker(options: FrameWorkerOptions): WorkerLike {
  const { openFrame, code, rules, clock, listenerOf } = options
  const events = new EventTarget()
  const fail = (message: string) => events.dispatchEvent(new ErrorEvent('error', { message }))
  const frame = openFrame({
    kept: (reached) => {
      if (reached.length > 0) fail(new IsolationError(reached).message)
    },
    failed: fail,
    message: (line, read) => {
      // What is asked of the broker is no message of the protocol, but counts as any other.
      const ask = (): void => broker?.receive(read())
      events.dispatchEvent(messageEvent(line === 'broker' ? ask : read))
    },
  })
  const log = createNetworkLog(clock)
  const broker =
    rules &&
    createBroker({
      rules,
      clock,
      log: log.write,
      overrun: fail,
      post: (answer, moved) => frame.post('broker', answer, moved),
    })
  let closed = false
  code().then(
    (text) => closed || frame.load({ text, network: broker !== undefined }),
    (error: unknown) => closed || fail(messageOf(error)),
  )

  return {
    postMessage: (message, transfer) => {
      const { type, request } = isObject(message) ? message : {}
      if (type === 'run' && isObject(request)) {
        log.begin(listenerOf(request))
        broker?.begin()
      }
      // The tool may ignore the abort, but its requests are stopped.
      if (type === 'abort') broker?.stop()
      frame.post('tool', message, transfer)
    },
    terminate: () => {
      closed = true
      log.end()
      broker?.stop()
      frame.close()
    },
    addEventListener: (type, listener) => events.addEventListener(type, listener),
    removeEventListener: (type, listener) => events.removeEventListener(type, listener),
  }
}

/** An event whose data is read by the listener, so that the cost of reading counts for the worker. */
function messageEvent(read: () => unknown): Event {
  return Object.defineProperty(new Event('message'), 'data', { get: read })
}

/**
 * Writes to the log of the call that runs, not by way of the worker's messages: what the page does for a worker is no
 * sign of its life, and gives the worker no credit.
 */
function createNetworkLog(clock: Clock) {
  let listener: CallListener | undefined
  let startedAt = 0
  let lines = 0
  return {
    begin: (next: CallListener | undefined) => {
      listener = next
      startedAt = clock.monotonic()
    },
    end: () => {
      listener = undefined
    },
    write: (level: 'info' | 'warn', text: string) => {
      lines += 1
      if (!listener || lines > maxLines) return
      const line = {
        level,
        text: lines < maxLines ? text : 'Further requests are not logged.',
        t: Math.round(clock.monotonic() - startedAt),
      }
      listener({ type: 'log', lines: [line], dropped: 0 })
    },
  }
}
