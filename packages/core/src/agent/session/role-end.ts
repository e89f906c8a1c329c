import { withoutFullStop } from '../../internal/full-stop.ts'
import { messageOf } from '../../internal/message-of.ts'
import { StorageError } from '../../storage/port.ts'
import { failureOf } from '../failure.ts'

/** Ends every role when the storage has failed, so that another agent can use what the role held or waited for. */
export function createRoleEnd(
  fail: (failure: StorageError) => void,
  close: () => Promise<void>,
): { readonly throwIfFailed: () => void; readonly onFailure: (thrown: unknown) => void } {
  let failure: StorageError | null = null
  return {
    throwIfFailed: (): void => {
      if (failure) throw failure
    },
    onFailure: (thrown: unknown): void => {
      if (failure) return
      failure = storageFailure(thrown)
      fail(failure)
      void close()
    },
  }
}

/** The error that an agent shows when its storage has failed. */
export function storageFailure(thrown: unknown): StorageError {
  return failureOf(
    thrown,
    thrown instanceof StorageError && thrown.kind === 'conflict'
      ? 'The session was changed somewhere else, perhaps in another tab. Reload to go on with it.'
      : `The session could not be stored (${withoutFullStop(messageOf(thrown))}). What came last is not saved.`,
  )
}
