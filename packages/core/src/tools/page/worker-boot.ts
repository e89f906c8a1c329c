import type { Clock } from '../../internal/clock.ts'
import { createDeferred } from '../../internal/deferred.ts'
import { withFullStop } from '../../internal/full-stop.ts'
import { messageOf } from '../../internal/message-of.ts'
import { toLine } from '../content.ts'
import type { MovableResource } from '../definition.ts'
import {
  type CallMessage,
  type PageMessage,
  protocolVersion,
  type ReadyMessage,
  readWorkerMessage,
} from '../protocol.ts'
import type { BootQueue } from './boot-queue.ts'
import { createFloodGauge, floodText } from './flood-gauge.ts'
import { watchPolicy } from './policy-watch.ts'
import { createTurns } from './turns.ts'

/** The members of a `Worker` that are used. */
export interface WorkerLike {
  /** Throws what the platform throws for data that cannot be cloned. */
  readonly postMessage: (message: unknown, transfer: MovableResource[]) => void
  /** Ends the worker at once; no event is dispatched afterwards. */
  readonly terminate: () => void
  /** `type` is `message`, `error` or `messageerror`. */
  readonly addEventListener: (type: string, listener: (event: Event) => void) => void
  /** Takes back what `addEventListener` was given. */
  readonly removeEventListener: (type: string, listener: (event: Event) => void) => void
}

export interface BootOptions {
  readonly spawn: () => WorkerLike
  /**
   * Milliseconds that the worker may take to get ready. They count from its turn in the queue, and again from each time
   * that an earlier worker is ready.
   */
  readonly bootTimeoutMs: number
  readonly queue: BootQueue
  readonly clock: Clock
  /** Called at most once, with the reason why the worker cannot be used; never after it was ready. */
  readonly onUnusable?: (reason: string) => void
}

/** Receives what a worker sends. A booted worker has one user at a time. */
interface WorkerUser<Message = CallMessage> {
  /** The execution whose messages are read; those of any other are dropped. */
  readonly executionId: () => string | undefined
  readonly message: (message: Message) => void
  /** Called when the worker is of no use any more: close it. */
  readonly failed: (message: string) => void
}

/** A worker that has been started, with or without a call. */
export interface BootedWorker {
  /** The names of the tools that the worker implements. Rejects with an `Error` that says why it cannot be used. */
  readonly ready: Promise<readonly string[]>
  /** Replaces the user. A new one receives a past failure, too; with `null`, messages are dropped. */
  readonly use: (user: WorkerUser | null) => void
  /** Throws what the platform throws for data that cannot be cloned. */
  readonly post: (message: PageMessage, transfer?: readonly MovableResource[]) => void
  /** Milliseconds to wait before more messages are allowed: the worker has posted too much. */
  readonly aheadMs: () => number
  readonly close: () => void
}

/** Starts a worker and waits for its side of the handshake: the protocol's version, and what it implements. */
export function bootWorker(options: BootOptions): BootedWorker {
  const { spawn, bootTimeoutMs, queue, clock, onUnusable } = options
  const ready = createDeferred<readonly string[]>()
  // The rejection is handled here: a worker may be closed before anything waits for it.
  ready.promise.catch(() => {})
  let user: WorkerUser | null = null
  let failure: string | null = null
  let greeted = false
  let isReady = false
  let link: Link | undefined

  const fail = (message: string) => {
    if (failure === null && !isReady) onUnusable?.(message)
    failure ??= message
    leaveQueue('gone')
    ready.reject(new Error(message))
    user?.failed(message)
  }
  const greet = ({ protocolVersion: version, toolNames }: ReadyMessage) => {
    if (greeted) return
    greeted = true
    if (version !== protocolVersion) return fail(versionText(version))
    isReady = true
    leaveQueue('ready')
    ready.resolve(toolNames)
  }
  const start = () => {
    link = openLink(spawn, clock, {
      executionId: () => user?.executionId(),
      message: (message) => {
        if (message.type === 'ready') greet(message)
        else user?.message(message)
      },
      failed: fail,
    })
  }
  const late = () => fail(timeoutText(bootTimeoutMs))
  const leaveQueue = queue.enter({ start, late, timeoutMs: bootTimeoutMs })

  return {
    ready: ready.promise,
    use: (next) => {
      user = next
      const past = failure
      // Called in a microtask, so that a failure never arrives before `use` has returned.
      if (past !== null) queueMicrotask(() => user === next && next?.failed(past))
    },
    post: (message, transfer) => link?.post(message, transfer),
    aheadMs: () => link?.aheadMs() ?? 0,
    close: () => {
      user = null
      leaveQueue('gone')
      link?.close()
      ready.reject(new Error('The execution was closed before it was ready.'))
    },
  }
}

type Link = Pick<BootedWorker, 'post' | 'aheadMs' | 'close'>

/**
 * Starts a worker and reads its messages. A message that is not of the protocol is dropped, but counts as any other.
 */
function openLink(
  spawn: () => WorkerLike,
  clock: Clock,
  user: WorkerUser<ReadyMessage | CallMessage>,
): Link {
  const worker = trySpawn(spawn)
  if (typeof worker === 'string') {
    // Called in a microtask, so that the caller has its link before the failure arrives.
    queueMicrotask(() => user.failed(worker))
    return { post: () => {}, aheadMs: () => 0, close: () => {} }
  }

  const policy = watchPolicy()
  const gauge = createFloodGauge(clock)
  const turns = createTurns(clock, gauge.isBehind)
  /** Ends a worker that is out of control. Returns whether it is. */
  const endFlood = () => {
    const isFlood = gauge.isFlood()
    if (isFlood) user.failed(floodText)
    return isFlood
  }
  const read = (event: Event) => {
    const startedAt = clock.monotonic()
    // The platform deserialises the data when it is first read, so messages to a closed link cost nothing.
    const message = readWorkerMessage('data' in event ? event.data : undefined, user.executionId())
    if (message?.type === 'broken') user.failed(message.message)
    else if (message) user.message(message)
    gauge.noteReading(startedAt)
    endFlood()
  }
  const receive = (event: Event) => {
    // A worker that posts was not refused.
    policy.unwatch()
    gauge.noteArrival()
    if (!endFlood()) turns.take(() => read(event))
  }
  const receiveError = (event: Event) => {
    const text = messageIn(event)
    const why = text === '' ? loadFailureText(policy.forbids()) : withModuleHint(text)
    turns.take(() => user.failed(why))
  }
  const receiveGarbled = () =>
    turns.take(() => user.failed('A message of the worker could not be read.'))

  worker.addEventListener('message', receive)
  worker.addEventListener('error', receiveError)
  worker.addEventListener('messageerror', receiveGarbled)
  return {
    post: (message, transfer = []) => {
      if (message.type === 'credit') gauge.noteCredit()
      worker.postMessage(message, [...transfer])
    },
    aheadMs: gauge.aheadMs,
    close: () => {
      policy.unwatch()
      turns.clear()
      gauge.close()
      worker.removeEventListener('message', receive)
      worker.removeEventListener('error', receiveError)
      worker.removeEventListener('messageerror', receiveGarbled)
      worker.addEventListener('error', silence)
      // The worker is terminated here, because garbage collection never ends one.
      worker.terminate()
    },
  }
}

/** A busy worker runs on for a while, and what it throws would be errors of the page: thousands in a second. */
function silence(event: Event): void {
  event.preventDefault()
}

/** The worker, or the reason why it could not be started. */
function trySpawn(spawn: () => WorkerLike): WorkerLike | string {
  try {
    const worker = spawn()
    // Code without types may forget to return it, or return a promise.
    if (typeof Reflect.get(Object(worker), 'addEventListener') === 'function') return worker
    throw new TypeError('The function returned no worker. Write () => new Worker(…).')
  } catch (error) {
    const isForeign = error instanceof Error && error.name === 'SecurityError'
    const text = `The worker could not be started: ${messageOf(error)}`
    if (isForeign) return `${withFullStop(text)}${foreignHint}`
    return isUntrusted.test(text) ? `${withFullStop(text)}${untrustedHint}` : withModuleHint(text)
  }
}

/** As Chromium and WebKit, and as Firefox, refuse an address on a page with Trusted Types. */
const isUntrusted = /TrustedScriptURL|Sink type/
const untrustedHint: string =
  " The page's CSP has require-trusted-types-for: the page needs a policy named default, as docs/csp-and-assets.md shows it."

/** WebKit reports the same error for a script of another origin as for one that the page's policy forbids. */
const foreignHint: string =
  " A worker must come from the origin of the page. A page that was opened as a file has none: serve it. For a script from elsewhere, and on a page in a sandboxed frame, write crossOriginWorker(address) in place of new Worker(…). The page's CSP must allow it in worker-src, with blob: for crossOriginWorker."

function messageIn(event: Event): string {
  return toLine('message' in event ? event.message : undefined) ?? ''
}

/** Browsers do not say why a script could not be loaded; only a refusal by the page's policy has an event. */
function loadFailureText(isForbidden: boolean): string {
  return isForbidden
    ? "The page's Content-Security-Policy forbids this worker: add 'self' to its worker-src, or blob: for crossOriginWorker."
    : "The worker script could not be loaded: check the connection, its URL (404), MIME type and origin (another than the page's needs crossOriginWorker), type: 'module' for a module, that neither it nor what it imports has a syntax error or an import that fails, the page's CSP worker-src, and that it has the page's Cross-Origin-Embedder-Policy if there is one."
}

/** The words of browsers for a module that was started as a classic script, or for missing module workers. */
const moduleComplaint: RegExp =
  /outside a module|top level of a module|import call expects|Unexpected (?:token|keyword) '?(?:export|import)|Module scripts are not supported/

function withModuleHint(text: string): string {
  if (!moduleComplaint.test(text)) return text
  return `${withFullStop(text)} The script is a module: start it with new Worker(…, { type: 'module' }). If it is already, this browser has no module workers: use Chrome 80, Safari 15, Firefox 114 or newer.`
}

function versionText(version: number): string {
  return `The worker has version ${version} of the protocol, the page version ${protocolVersion}: build both with the same version of @offthread/core.`
}

function timeoutText(ms: number): string {
  return `The worker was not ready within ${ms / 1000} s: its script does not call serveTools([…]) at its top level, or takes longer to load, as on a busy machine (then raise bootTimeoutMs).`
}
