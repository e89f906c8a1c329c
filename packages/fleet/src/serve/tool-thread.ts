import { Worker } from 'node:worker_threads'
import { messageOf } from '../wire/message-of.ts'

/** A thread that runs the script of some tools. */
export interface ToolThread {
  readonly post: (message: unknown) => void
  readonly onMessage: (listener: (message: unknown) => void) => void
  /** Called with the reason when the thread has ended by itself. */
  readonly onEnd: (listener: (why: string) => void) => void
  /** Ends the thread at once, whatever it does. Resolves when it is gone. */
  readonly terminate: () => Promise<unknown>
}

/** Starts a thread with a script that calls `serveTools`. */
export function startToolThread(script: URL): ToolThread {
  const main = new URL('./thread-main.js', import.meta.url)
  const worker = new Worker(script, { execArgv: [...process.execArgv, '--import', main.href] })
  let end = (_why: string) => {}
  worker.on('error', (error) => end(messageOf(error)))
  worker.on('exit', (code) => end(`The code has ended its thread, with exit code ${code}.`))
  worker.on('messageerror', () => end('A message of the thread could not be read.'))
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => void worker.on('message', listener),
    onEnd: (listener) => {
      end = listener
    },
    terminate: () => worker.terminate(),
  }
}
