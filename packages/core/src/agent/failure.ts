import type { RunError } from '../kernel/run-error.ts'
import { StorageError, type StorageErrorKind } from '../storage/port.ts'

/** Whether the storage has failed, after which nothing is written any more. */
export interface Failure {
  readonly signal: AbortSignal
  /** The failure as a run reports it; `null` as long as there is none. */
  readonly error: () => RunError | null
  /** Throws a `StorageError` once the storage has failed. */
  readonly throwIfFailed: () => void
}

/** A failure, and the function that sets it. */
export interface FailureSource extends Failure {
  /** Sets the failure. Only the first call counts. */
  readonly fail: (failure: StorageError) => void
}

export type FailureListener = (error: RunError, kind: StorageErrorKind) => void

/** Creates the state before any failure. */
export function createFailure(onFailure: FailureListener): FailureSource {
  const controller = new AbortController()
  let failure: StorageError | null = null
  let error: RunError | null = null
  return {
    signal: controller.signal,
    error: () => error,
    throwIfFailed: () => {
      if (failure) throw failure
    },
    fail: (happened) => {
      if (failure) return
      failure = happened
      error = { kind: 'storage', message: happened.message, retryable: false }
      onFailure(error, happened.kind)
      controller.abort()
    },
  }
}

/** What a storage threw, in words for the page. */
export function failureOf(thrown: unknown, message: string): StorageError {
  const kind = thrown instanceof StorageError ? thrown.kind : 'unknown'
  return new StorageError(kind, message, { cause: thrown })
}
