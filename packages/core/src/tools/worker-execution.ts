import type { Clock } from '../internal/clock.ts'
import { createDeferred } from './deferred.ts'
import type { CallListener, CallRequest, Execution, Settlement } from './host.ts'
import type { WorkerMessage } from './protocol.ts'
import { protocolVersion } from './protocol.ts'
import { textOfError } from './result.ts'
import type { WorkerLike } from './worker-link.ts'
import { linkWorker } from './worker-link.ts'

export interface WorkerExecutionOptions {
  readonly spawn: () => WorkerLike
  /** Why a worker that implements these tools will not do; `undefined` when it will. */
  readonly objection: (toolNames: readonly string[]) => string | undefined
  readonly graceMs: number
  readonly bootTimeoutMs: number
  readonly clock: Clock
}

type State =
  | { readonly status: 'booting' | 'ready' | 'ended' }
  | {
      readonly status: 'running' | 'stopping'
      readonly executionId: string
      readonly listener: CallListener
    }

/** Starts a worker for one call. It is terminated when the call has settled, failed or was closed. */
export function openWorker(options: WorkerExecutionOptions): Execution {
  const { spawn, objection, graceMs, bootTimeoutMs, clock } = options
  const ready = createDeferred<void>()
  const settled = createDeferred<Settlement>()
  let state: State = { status: 'booting' }
  let used = false
  // Nobody has to wait for `ready`.
  ready.promise.catch(() => {})

  /** The only way out: both promises are settled and nothing is left of the worker. */
  const end = (settlement: Settlement, whyNotReady = 'The execution was closed.') => {
    if (state.status === 'ended') return
    state = { status: 'ended' }
    cancelTimer()
    link.close()
    ready.reject(new Error(whyNotReady))
    settled.resolve(settlement)
  }
  const crash = (message: string) => {
    // Code that breaks after it was told to stop has stopped, though not in an orderly way.
    const isStopping = state.status === 'stopping'
    end(isStopping ? stopped('terminated') : { kind: 'crashed', message }, message)
  }

  const hear = (message: WorkerMessage) => {
    if (message.type === 'ready') return hearReady(message)
    // Nobody but the call that runs here may speak.
    if (message.type === 'broken' || !('executionId' in state)) return
    if (message.executionId !== state.executionId) return
    if (message.type !== 'settled') return tell(state.listener, message)
    end(state.status === 'stopping' ? stopped('cooperative') : message.settlement)
  }
  const hearReady = ({ protocolVersion: version, toolNames }: ReadyMessage) => {
    if (state.status !== 'booting') return
    const problem = version === protocolVersion ? objection(toolNames) : versionText(version)
    if (problem !== undefined) return crash(problem)
    state = { status: 'ready' }
    cancelTimer()
    ready.resolve()
  }

  const begin = (request: CallRequest, listener: CallListener) => {
    if (state.status !== 'ready') return
    state = { status: 'running', executionId: request.executionId, listener }
    try {
      link.post({ type: 'run', request })
    } catch (error) {
      end(unsendable(error))
    }
  }

  const close = () => {
    // What was never sent is not cut off.
    end(stopped('executionId' in state ? 'terminated' : 'cooperative'))
  }
  const stop = () => {
    if (!('executionId' in state)) return close()
    if (state.status === 'stopping') return
    state = { ...state, status: 'stopping' }
    cancelTimer = clock.setTimer(graceMs, () => end(stopped('terminated')))
    link.post({ type: 'abort', executionId: state.executionId })
  }

  const link = linkWorker(spawn, { message: hear, failed: crash })
  let cancelTimer = clock.setTimer(bootTimeoutMs, () => crash(bootTimeoutText(bootTimeoutMs)))

  return {
    ready: ready.promise,
    run: (request, listener) => {
      if (used) return Promise.resolve(usedTwice)
      used = true
      if (state.status === 'ready') begin(request, listener)
      else ready.promise.then(() => begin(request, listener)).catch(() => {})
      return settled.promise
    },
    stop,
    close,
  }
}

/** What is said to a second call: an execution is for one. */
export const usedTwice: Settlement = {
  kind: 'crashed',
  message: 'This execution has run a call already. Open another one.',
}

type ReadyMessage = Extract<WorkerMessage, { type: 'ready' }>

function stopped(how: 'cooperative' | 'terminated'): Settlement {
  return { kind: 'stopped', how }
}

function versionText(version: number): string {
  return `The worker speaks version ${version} of the protocol, the page version ${protocolVersion}: build both with the same version of @offthread/core.`
}

function tell(
  listener: CallListener,
  message: Exclude<WorkerMessage, { type: 'ready' | 'broken' | 'settled' }>,
): void {
  switch (message.type) {
    case 'running':
      return listener.running()
    case 'update':
      return listener.update(message.partial)
    case 'progress':
      return listener.progress(message.progress)
    case 'log':
      return listener.log(message.lines, message.dropped)
    case 'custom':
      return listener.custom(message.name, message.data)
  }
}

function bootTimeoutText(ms: number): string {
  return `The worker was not ready within ${ms / 1000} s. Its script must call serveTools([…]) at its top level.`
}

function unsendable(error: unknown): Settlement {
  return {
    kind: 'threw',
    errorKind: 'failed',
    message: `The call could not be sent to its worker: ${textOfError(error)} It did not run.`,
  }
}
