import type { Clock } from '../../internal/clock.ts'
import { isObject } from '../../internal/json.ts'
import { readWorkerMessage } from '../protocol.ts'
import { textOfError } from '../result.ts'
import type { WorkerLike } from '../worker-link.ts'
import { createBroker } from './broker.ts'
import type { FrameRecipe } from './frame.ts'
import { openFrame } from './frame.ts'
import { IsolationError } from './isolation-error.ts'
import type { NetworkRules } from './network.ts'

export interface FrameWorkerOptions {
  readonly recipe: FrameRecipe
  /** Resolves when code may be loaded. The frame is made meanwhile. */
  readonly tested: () => Promise<void>
  /** The code of the worker. It is asked for once, after the test. */
  readonly code: () => Promise<string>
  /** Milliseconds from the test until the code has called `serveTools`. */
  readonly bootTimeoutMs: number
  /** Without it there is no network. */
  readonly rules: NetworkRules | undefined
  readonly clock: Clock
}

/** How many lines about its requests a call's log takes. */
const maxLines = 100

/** A worker in an isolated frame, as if it were one of the page. Its end is the removal of the frame. */
export function startFrameWorker(options: FrameWorkerOptions): WorkerLike {
  const { recipe, tested, code, bootTimeoutMs, rules, clock } = options
  const events = new EventTarget()
  const fail = (message: string) => events.dispatchEvent(new ErrorEvent('error', { message }))
  const frame = openFrame(recipe, {
    kept: (reached) => {
      if (reached.length > 0) fail(new IsolationError(reached).message)
    },
    failed: fail,
  })
  const hear = (data: unknown) => events.dispatchEvent(new MessageEvent('message', { data }))
  const log = createNetworkLog(clock, hear)
  const broker = rules && createBroker({ rules, clock, log: log.write, overrun: fail })
  let closed = false
  let cancelBootTimer = () => {}

  const load = async () => {
    await tested()
    if (closed) return
    cancelBootTimer = clock.setTimer(bootTimeoutMs, () => fail(timeoutText(bootTimeoutMs)))
    const text = await code()
    if (!closed) frame.load({ text, ...(broker && { broker: broker.port }) })
  }
  load().catch((error: unknown) => closed || fail(textOfError(error)))

  let ready = false
  frame.wire.onmessage = ({ data }) => {
    ready ||= readWorkerMessage(data, undefined)?.type === 'ready'
    if (ready) cancelBootTimer()
    hear(data)
  }
  frame.wire.onmessageerror = () => events.dispatchEvent(new Event('messageerror'))

  return {
    postMessage: (message, transfer: Transferable[] = []) => {
      const { type, executionId } = readTold(message)
      if (type === 'run' && executionId !== undefined) {
        log.begin(executionId)
        broker?.begin()
      }
      // The tool may ignore that it is to stop; its requests do not.
      if (type === 'abort') broker?.stop()
      frame.wire.postMessage(message, transfer)
    },
    terminate: () => {
      closed = true
      cancelBootTimer()
      broker?.close()
      frame.close()
    },
    addEventListener: (type, listener) => events.addEventListener(type, listener),
    removeEventListener: (type, listener) => events.removeEventListener(type, listener),
  }
}

function timeoutText(ms: number): string {
  return `The isolated script was not ready within ${ms / 1000} s. It did not load in time, or does not call serveTools([…]) at its top level.`
}

/** Writes to the log of the call that runs, as the worker itself would. */
function createNetworkLog(clock: Clock, hear: (message: unknown) => void) {
  let call: { readonly executionId: string; readonly begun: number } | undefined
  let lines = 0
  return {
    begin: (executionId: string) => {
      call = { executionId, begun: clock.monotonic() }
    },
    write: (level: 'info' | 'warn', text: string) => {
      lines += 1
      if (!call || lines > maxLines) return
      const line = {
        level,
        text: lines < maxLines ? text : 'Further requests are not logged.',
        t: Math.round(clock.monotonic() - call.begun),
      }
      hear({ type: 'log', executionId: call.executionId, lines: [line], dropped: 0 })
    },
  }
}

/** What the page tells the worker, as far as it concerns the frame. */
function readTold(message: unknown): { readonly type?: unknown; readonly executionId?: string } {
  if (!isObject(message)) return {}
  const { type, request } = message
  const id = isObject(request) ? request['executionId'] : undefined
  return { type, ...(typeof id === 'string' && { executionId: id }) }
}
