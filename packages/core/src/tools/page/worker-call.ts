import type { Clock } from '../../internal/clock.ts'
import { createDeferred } from '../../internal/deferred.ts'
import { messageOf } from '../../internal/message-of.ts'
import type { MovableResource, Resource, Resources, Tool } from '../definition.ts'
import type { CallListener, CallRequest } from '../host.ts'
import { type CallMessage, isBitmap, type OwnSettlement } from '../protocol.ts'
import type { Code, Report } from './execution.ts'
import { createWatchdog } from './watchdog.ts'
import type { BootedWorker } from './worker-boot.ts'

export interface WorkerCallOptions {
  readonly worker: BootedWorker
  /** Why a worker that implements these tools will not do; `undefined` when it will. */
  readonly objection: (toolNames: readonly string[]) => string | undefined
  readonly tool: Pick<Tool, 'maxSilenceMs' | 'transferResources'>
  readonly clock: Clock
  /** Called when the code of the call runs. */
  readonly onRunning: () => void
  /** The call is over. `usable`: its code ended by itself, and the worker may take another call. */
  readonly giveBack: (worker: BootedWorker, options: { readonly usable: boolean }) => void
}

export function startWorkerCall(options: WorkerCallOptions, report: Report): Code {
  const { worker, objection, tool, clock, onRunning, giveBack } = options
  const ready = createDeferred<void>()
  let call: { readonly executionId: string; readonly listener: CallListener } | undefined
  let stopped = false
  let usable = false

  const fail = (message: string) => {
    usable = false
    ready.reject(new Error(message))
    report.crashed(message)
  }
  const watchdog = createWatchdog({
    maxSilenceMs: tool.maxSilenceMs,
    clock,
    failed: fail,
    aheadMs: worker.aheadMs,
    acknowledge: (messages) => {
      if (call) worker.post({ type: 'credit', executionId: call.executionId, messages })
    },
  })
  const receive = (message: CallMessage) => {
    watchdog.note(message)
    if (message.type === 'settled') {
      // A worker whose code was asked to stop is not used again, because the code may have left something running.
      usable = !stopped
      report.settled(message.settlement)
    } else if (call && message.type !== 'alive') {
      if (message.type === 'running') onRunning()
      const { executionId: _, ...notice } = message
      call.listener(notice)
    }
  }
  worker.ready.then(
    (toolNames) => {
      const problem = objection(toolNames)
      if (problem === undefined) ready.resolve()
      else fail(problem)
    },
    () => {},
  )
  worker.use({ executionId: () => call?.executionId, message: receive, failed: fail })

  return {
    ready: ready.promise,
    run: (request, listener) => {
      call = { executionId: request.executionId, listener }
      watchdog.start()
      const problem = handOver(request, { worker, tool })
      if (problem) report.settled(problem)
    },
    abort: () => {
      stopped = true
      if (call) worker.post({ type: 'abort', executionId: call.executionId })
    },
    close: () => {
      watchdog.clear()
      giveBack(worker, { usable })
      ready.reject(new Error('The execution was closed before it was ready.'))
    },
  }
}

/** Posts the call. Returns how the call ends if it cannot be posted. */
function handOver(
  request: CallRequest,
  { worker, tool }: Pick<WorkerCallOptions, 'worker' | 'tool'>,
): OwnSettlement | undefined {
  try {
    const moved = tool.transferResources ? movable(request.resources) : []
    worker.post({ type: 'run', request }, moved)
    return undefined
  } catch (error) {
    return unsendable(request, error)
  }
}

/** The resources that can be moved without a copy. */
function movable(resources: Resources): readonly MovableResource[] {
  // The platform throws if an object is listed twice.
  return [...new Set(Object.values(resources))].filter(isMovable)
}

function isMovable(resource: Resource): resource is MovableResource {
  return resource instanceof ArrayBuffer || isBitmap(resource)
}

/** How a call ends whose request cannot be copied to its worker. */
export function unsendable({ toolName, context }: CallRequest, error: unknown): OwnSettlement {
  if (!isCloneable(context)) {
    // The platform's message is left out, because it may quote a function of the context.
    const message = `The agent's context cannot be copied to the worker of "${toolName}". Keep it plain data, without functions and DOM nodes, or give the tool place 'page'. It did not run.`
    return { kind: 'threw', errorKind: 'failed', message, details: { name: 'TypeError' } }
  }
  return {
    kind: 'threw',
    errorKind: 'failed',
    message: `The call could not be sent to its worker: ${messageOf(error)} It did not run.`,
  }
}

function isCloneable(value: unknown): boolean {
  try {
    structuredClone(value)
    return true
  } catch {
    return false
  }
}
