/** What of a worker's global scope can tell that something broke. */
export interface BreakableScope {
  readonly addEventListener: (type: string, listener: (event: Event) => void) => void
  /** Ends the worker, and nobody on the page is told. */
  close?: () => void
}

/** What of a worker's global scope is used. */
export interface WorkerScope extends BreakableScope {
  readonly postMessage: (message: unknown, options?: StructuredSerializeOptions) => void
}
