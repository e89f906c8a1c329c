import type { Clock } from '../../internal/clock.ts'
import { createDeferred } from '../../internal/deferred.ts'
import type { CallMessage, ReadyMessage } from '../protocol.ts'
import { protocolVersion } from '../protocol.ts'
import type { WorkerLike, WorkerLink } from './worker-link.ts'
import { linkWorker } from './worker-link.ts'

export interface BootOptions {
  readonly spawn: () => WorkerLike
  readonly bootTimeoutMs: number
  readonly clock: Clock
  /** The worker cannot be used, for this reason. Said at most once, and never of one that was ready. */
  readonly unusable?: (reason: string) => void
}

/** Who uses a worker: one call at a time. */
interface WorkerUser {
  /** The one call that may speak now. */
  readonly executionId: () => string | undefined
  readonly message: (message: CallMessage) => void
  /** The worker is of no use any more: close it. */
  readonly failed: (message: string) => void
}

/** A worker that has been started, with or without a call. */
export interface BootedWorker {
  /** The names of the tools it implements. Rejects with an `Error` that says why it cannot be used. */
  readonly ready: Promise<readonly string[]>
  /** From now on this user hears of it, a failure of the past included. `null`: nobody does. */
  readonly use: (user: WorkerUser | null) => void
  /** Throws what the platform throws for data that cannot be cloned. */
  readonly post: WorkerLink['post']
  readonly close: () => void
}

/** Starts a worker and shakes hands with it. */
export function bootWorker(options: BootOptions): BootedWorker {
  const { spawn, bootTimeoutMs, clock, unusable } = options
  const ready = createDeferred<readonly string[]>()
  // Nobody has to wait for it.
  ready.promise.catch(() => {})
  let user: WorkerUser | null = null
  let failure: string | null = null
  let greeted = false
  let isReady = false

  const fail = (message: string) => {
    if (failure === null && !isReady) unusable?.(message)
    failure ??= message
    cancelBootTimer()
    ready.reject(new Error(message))
    user?.failed(message)
  }
  const greet = ({ protocolVersion: version, toolNames }: ReadyMessage) => {
    if (greeted) return
    greeted = true
    if (version !== protocolVersion) return fail(versionText(version))
    cancelBootTimer()
    isReady = true
    ready.resolve(toolNames)
  }
  const link = linkWorker(spawn, {
    heardId: () => user?.executionId(),
    message: (message) => {
      if (message.type === 'ready') greet(message)
      else user?.message(message)
    },
    failed: fail,
  })
  const cancelBootTimer = clock.setTimer(bootTimeoutMs, () => fail(timeoutText(bootTimeoutMs)))

  return {
    ready: ready.promise,
    use: (next) => {
      user = next
      const past = failure
      // Later, as every other failure: whoever took it knows of it by then.
      if (past !== null) queueMicrotask(() => user === next && next?.failed(past))
    },
    post: link.post,
    close: () => {
      user = null
      cancelBootTimer()
      link.close()
      ready.reject(new Error('The execution was closed before it was ready.'))
    },
  }
}

function versionText(version: number): string {
  return `The worker speaks version ${version} of the protocol, the page version ${protocolVersion}: build both with the same version of @offthread/core.`
}

function timeoutText(ms: number): string {
  return `The worker was not ready within ${ms / 1000} s: its script does not call serveTools([…]) at its top level, or takes longer to load, as on a busy machine (then raise bootTimeoutMs).`
}
