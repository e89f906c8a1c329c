import { withoutFullStop } from '../../internal/full-stop.ts'
import { messageOf } from '../../internal/message-of.ts'
import type { RunError } from '../../kernel/run-error.ts'
import { StorageError } from '../../storage/port.ts'
import type { StorageFailure } from '../failure.ts'

/** What a run reports about a storage that failed. */
export function storageFailure(thrown: unknown): RunError {
  const message =
    thrown instanceof StorageError && thrown.kind === 'conflict'
      ? 'The session was changed somewhere else, perhaps in another tab. Reload to go on with it.'
      : `The session could not be stored (${withoutFullStop(messageOf(thrown))}). What came last is not saved.`
  return { kind: 'storage', message, retryable: false }
}

/** The error with which a command fails after that. */
export function asStorageError({ error, thrown }: StorageFailure): StorageError {
  const kind = thrown instanceof StorageError ? thrown.kind : 'unknown'
  return new StorageError(kind, error.message, { cause: thrown })
}
