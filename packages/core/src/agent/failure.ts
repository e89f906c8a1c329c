import type { RunError } from '../kernel/run-error.ts'
import { StorageError } from '../storage/port.ts'

/** That the storage has failed: nothing is written any more. */
export interface Failure {
  readonly signal: AbortSignal
  readonly error: () => RunError | null
  /** Throws a `StorageError` once it happened. */
  readonly throwIfFailed: () => void
}

/** What a run reports of a failed storage, and what the storage threw. */
export interface StorageFailure {
  readonly error: RunError
  readonly thrown: unknown
}

/** As a failure, with the way to make it happen. */
export interface FailureSource extends Failure {
  /** Counts once. */
  readonly fail: (failure: StorageFailure) => void
}

/** A failure that did not happen yet. */
export function createFailure(onFailure: (failure: StorageFailure) => void): FailureSource {
  const controller = new AbortController()
  let failure: StorageFailure | null = null
  return {
    signal: controller.signal,
    error: () => failure?.error ?? null,
    throwIfFailed: () => {
      if (!failure) return
      const { error, thrown } = failure
      const kind = thrown instanceof StorageError ? thrown.kind : 'unknown'
      throw new StorageError(kind, error.message, { cause: thrown })
    },
    fail: (happened) => {
      if (failure) return
      failure = happened
      onFailure(happened)
      controller.abort()
    },
  }
}
