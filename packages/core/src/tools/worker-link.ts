import type { CallMessage, PageMessage, ReadyMessage } from './protocol.ts'
import { readWorkerMessage } from './protocol.ts'
import { textOfError } from './result.ts'

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

  let strangeMessages = 0
  const hear = (event: Event) => {
    const message = readWorkerMessage('data' in event ? event.data : undefined, listener.heardId())
    if (message?.type === 'broken') listener.failed(message.message)
    else if (message) listener.message(message)
    else if (++strangeMessages > maxStrangeMessages) {
      listener.failed(`The worker posted more than ${maxStrangeMessages} messages of its own.`)
    }
  }
  const hearError = (event: Event) => listener.failed(textOfErrorEvent(event))
  const hearGarbled = () => listener.failed('A message of the worker could not be read.')

  const close = () => {
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
    const hint =
      error instanceof Error && error.name === 'SecurityError'
        ? ' A worker must come from the origin of the page; for a script from elsewhere, start a Blob that imports it.'
        : ''
    return `The worker could not be started: ${textOfError(error)}${hint}`
  }
}

function textOfErrorEvent(event: Event): string {
  const message = 'message' in event ? event.message : undefined
  if (typeof message === 'string' && message !== '') return message
  return "The worker script could not be loaded: check its URL (404), MIME type, the page's CSP worker-src, and syntax errors."
}
