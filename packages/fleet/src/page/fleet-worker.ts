import type { WorkerLike } from '@offthread/core/host'
import { isObject } from '../wire/is-object.ts'
import type { Claim } from './ask-once.ts'
import { FleetError } from './fleet-error.ts'
import type { Line } from './line.ts'
import { problems } from './problems.ts'
import { createRemoteThread, type RemoteThread } from './remote-thread.ts'
import { type SeekOptions, seekProcess } from './seek-process.ts'

export interface FleetWorkerOptions extends SeekOptions {
  readonly line: Line
  /** Called with why the worker failed, before its event. */
  readonly onFailure: (error: FleetError) => void
}

/** A thread of some process of a fleet, as if it were a worker of the page. */
export function startFleetWorker(options: FleetWorkerOptions): WorkerLike {
  const { line, heartbeatMs, clock, onFailure } = options
  const events = new EventTarget()
  let isClosed = false
  let place = ''
  let thread: RemoteThread | undefined
  let stopSeeking = () => {}

  const emit = (read: () => unknown) => events.dispatchEvent(messageEvent(read))
  const failed = (error: FleetError) => {
    if (isClosed) return
    onFailure(error)
    events.dispatchEvent(Object.assign(new Event('error'), { message: error.message }))
  }
  const seek = async () => {
    const connection = await line.open()
    if (isClosed) return
    const claimed = (claim: Claim) => {
      place = claim.process
      thread = createRemoteThread({
        ...{ connection, claim, heartbeatMs, clock, message: emit, failed },
      })
    }
    const frame = (data: Uint8Array) => thread?.receive(data)
    stopSeeking = seekProcess(connection, options, { claimed, frame, failed })
  }
  seek().catch((error: unknown) =>
    failed(error instanceof FleetError ? error : problems.unreachable(error)),
  )
  const stopWatching = line.onEnd(failed)

  return {
    postMessage: (message) => {
      thread?.send(message)
      const { type, request } = isObject(message) ? message : {}
      if (type === 'run' && isObject(request)) {
        queueMicrotask(() => emit(() => placeLine(request, place)))
      }
    },
    terminate: () => {
      isClosed = true
      stopWatching()
      thread?.close()
      stopSeeking()
    },
    addEventListener: (type, listener) => events.addEventListener(type, listener),
    removeEventListener: (type, listener) => events.removeEventListener(type, listener),
  }
}

/** An event whose data is unpacked by the listener, so that the cost of unpacking counts for the worker. */
function messageEvent(read: () => unknown): Event {
  return Object.defineProperty(new Event('message'), 'data', { get: read })
}

/** The first line of the call's log. */
function placeLine({ executionId }: { readonly [key: string]: unknown }, process: string): object {
  const line = { level: 'info', text: `Runs in the process ${process}.`, t: 0 }
  return { type: 'log', executionId, lines: [line], dropped: 0 }
}
