/** The parts of a worker's global scope that are used. */
export interface WorkerScope {
  readonly postMessage: (message: unknown, options?: { readonly transfer?: ArrayBuffer[] }) => void
  readonly addEventListener: (type: string, listener: (event: Event) => void) => void
  /** Ends the worker without an event on the page. */
  close?: () => void
}

interface Reporting {
  readonly report: (error: unknown) => void
  /** Whether a rejection is expected and says nothing about the code. */
  readonly isExpected: (reason: unknown) => boolean
}

/**
 * Reports errors outside of any call. Without it, the page gets no event for an unhandled rejection or for a
 * worker that closes itself, and no stack for other errors.
 */
export function reportBroken(scope: WorkerScope, { report, isExpected }: Reporting): void {
  scope.addEventListener('unhandledrejection', (event) => {
    const reason: unknown = 'reason' in event ? event.reason : undefined
    if (!isExpected(reason)) report(reason)
  })
  scope.addEventListener('error', (event) => {
    const error: unknown = 'error' in event ? event.error : undefined
    const message: unknown = 'message' in event ? event.message : undefined
    report(error ?? message)
  })
  const close = scope.close?.bind(scope)
  if (!close) return
  scope.close = () => {
    report(new Error('The code closed its worker.'))
    close()
  }
}
