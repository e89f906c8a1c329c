import { messageOf } from '../../internal/message-of.ts'
import type { CallMessage, PageMessage, ReadyMessage } from '../protocol.ts'
import { readWorkerMessage } from '../protocol.ts'

/** What of a `Worker` is used. */
export interface WorkerLike {
  readonly postMessage: (message: unknown, transfer: Transferable[]) => void
  readonly terminate: () => void
  readonly addEventListener: (type: string, listener: (event: Event) => void) => void
  readonly removeEventListener: (type: string, listener: (event: Event) => void) => void
}

/** The page's end of one worker. */
export interface WorkerLink {
  /** Throws what the platform throws for data that cannot be cloned. */
  readonly post: (message: PageMessage, transfer?: readonly Transferable[]) => void
  /** Ends the worker; nothing is heard of it any more. */
  readonly close: () => void
}

export interface LinkListener {
  /** The one call that may speak now, by its execution id. */
  readonly heardId: () => string | undefined
  readonly message: (message: ReadyMessage | CallMessage) => void
  /** The worker is of no use any more: close the link. */
  readonly failed: (message: string) => void
}

/** A worker posts nothing of its own accord but the protocol: what posts so much else is out of control. */
const maxStrangeMessages = 1000

/** Starts a worker and listens to it. Every message is checked; what is none of the protocol is dropped. */
export function linkWorker(spawn: () => WorkerLike, listener: LinkListener): WorkerLink {
  const worker = trySpawn(spawn)
  if (typeof worker === 'string') {
    // Later, as every other failure: the caller has its link by then.
    queueMicrotask(() => listener.failed(worker))
    return { post: () => {}, close: () => {} }
  }

  const policy = watchPolicy()
  let strangeMessages = 0
  const hear = (event: Event) => {
    // It has been started.
    policy.unwatch()
    const message = readWorkerMessage('data' in event ? event.data : undefined, listener.heardId())
    if (message?.type === 'broken') listener.failed(message.message)
    else if (message) listener.message(message)
    else if (++strangeMessages > maxStrangeMessages) {
      listener.failed(`The worker posted more than ${maxStrangeMessages} messages of its own.`)
    }
  }
  const hearError = (event: Event) => {
    const said = messageIn(event)
    listener.failed(said === '' ? silentText(policy.forbids()) : withModuleHint(said))
  }
  const hearGarbled = () => listener.failed('A message of the worker could not be read.')

  const close = () => {
    policy.unwatch()
    worker.removeEventListener('message', hear)
    worker.removeEventListener('error', hearError)
    worker.removeEventListener('messageerror', hearGarbled)
    // Garbage collection never ends a worker.
    worker.terminate()
  }

  worker.addEventListener('message', hear)
  worker.addEventListener('error', hearError)
  worker.addEventListener('messageerror', hearGarbled)
  return {
    post: (message, transfer = []) => worker.postMessage(message, [...transfer]),
    close,
  }
}

/** The worker, or why there is none. */
function trySpawn(spawn: () => WorkerLike): WorkerLike | string {
  try {
    return spawn()
  } catch (error) {
    const isForeign = error instanceof Error && error.name === 'SecurityError'
    const text = `The worker could not be started: ${messageOf(error)}`
    return isForeign ? `${text}${foreignHint}` : withModuleHint(text)
  }
}

const foreignHint: string =
  ' A worker must come from the origin of the page: for a script from elsewhere, write crossOriginWorker(address) in place of new Worker(…).'

function messageIn(event: Event): string {
  const message = 'message' in event ? event.message : undefined
  return typeof message === 'string' ? message : ''
}

/** Of a script that could not be loaded the browser does not say why; but the page hears of its policy. */
function silentText(isForbidden: boolean): string {
  return isForbidden
    ? "The page's Content-Security-Policy forbids this worker: add 'self' to its worker-src, or blob: for crossOriginWorker."
    : "The worker script could not be loaded: check its URL (404) and MIME type, that neither it nor what it imports has a syntax error or an import that fails, and the page's CSP worker-src."
}

/** What browsers say of a module that they take for a classic script, and of the wish to start one. */
const moduleComplaint: RegExp =
  /outside a module|top level of a module|import call expects|Unexpected (?:token|keyword) '?(?:export|import)|Module scripts are not supported/

function withModuleHint(text: string): string {
  if (!moduleComplaint.test(text)) return text
  const sentence = /[.!?]$/.test(text) ? text : `${text}.`
  return `${sentence} The script is a module: start it with new Worker(…, { type: 'module' }). If it is already, this browser has no module workers: use Chrome 80, Safari 15, Firefox 114 or newer.`
}

interface PolicyWatch {
  /** Whether the page's policy has refused a worker before this one spoke. */
  readonly forbids: () => boolean
  readonly unwatch: () => void
}

function watchPolicy(): PolicyWatch {
  if (typeof document === 'undefined') return { forbids: () => false, unwatch: () => {} }
  let isForbidden = false
  const hear = ({ disposition, effectiveDirective }: SecurityPolicyViolationEvent) => {
    if (disposition === 'enforce' && effectiveDirective === 'worker-src') isForbidden = true
  }
  document.addEventListener('securitypolicyviolation', hear)
  return {
    forbids: () => isForbidden,
    unwatch: () => {
      isForbidden = false
      document.removeEventListener('securitypolicyviolation', hear)
    },
  }
}
