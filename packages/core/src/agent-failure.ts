import type { RunError } from './kernel/run-error.ts'

/** That the storage has failed: nothing is written any more. */
export interface Failure {
  readonly signal: AbortSignal
  readonly error: () => RunError | null
}

/** As a failure, with the way to make it happen. */
export interface FailureSource extends Failure {
  /** Counts once. */
  readonly fail: (error: RunError) => void
}

/** A failure that did not happen yet. */
export function createFailure(onFailure: (error: RunError) => void): FailureSource {
  const controller = new AbortController()
  let failure: RunError | null = null
  return {
    signal: controller.signal,
    error: () => failure,
    fail: (error) => {
      if (failure) return
      failure = error
      onFailure(error)
      controller.abort()
    },
  }
}
