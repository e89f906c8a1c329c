import type { StorageError } from '../../storage/port.ts'
import { storageFailure } from './storage-failure.ts'

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
