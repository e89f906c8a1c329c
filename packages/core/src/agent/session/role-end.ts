import type { StorageError } from '../../storage/port.ts'
import { storageFailure } from './storage-failure.ts'

/** What a storage failed with, which ends every role: what it holds, or waits for, is of use to another agent. */
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
