import { parentPort } from 'node:worker_threads'

/**
 * Runs in a thread before the script of its tools, and gives it the scope of a Web Worker, so that the script runs in both.
 * A thread listens to what its script listens to: one that does not serve anything ends by itself, and one that fails
 * before it serves ends with its error.
 */
const scope = new EventTarget()
const port = parentPort

const sources = new Map<string, () => void>()
  .set('message', () => {
    port?.on('message', (data: unknown) =>
      scope.dispatchEvent(new MessageEvent('message', { data })),
    )
  })
  .set('error', () => {
    process.on('uncaughtException', (error) => dispatch('error', { error }))
  })
  .set('unhandledrejection', () => {
    process.on('unhandledRejection', (reason) => dispatch('unhandledrejection', { reason }))
  })

function dispatch(type: string, fields: object): void {
  scope.dispatchEvent(Object.assign(new Event(type), fields))
}

function addEventListener(type: string, listener: (event: Event) => void): void {
  scope.addEventListener(type, listener)
  const listen = sources.get(type)
  sources.delete(type)
  listen?.()
}

Object.assign(globalThis, {
  self: globalThis,
  WorkerGlobalScope: class WorkerGlobalScope {},
  addEventListener,
  removeEventListener: scope.removeEventListener.bind(scope),
  postMessage: (message: unknown, options?: { readonly transfer?: readonly ArrayBuffer[] }) =>
    port?.postMessage(message, options?.transfer),
  close: () => process.exit(),
})
