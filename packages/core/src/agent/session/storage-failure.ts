import { withoutFullStop } from '../../internal/full-stop.ts'
import { messageOf } from '../../internal/message-of.ts'
import { StorageError } from '../../storage/port.ts'
import { failureOf } from '../failure.ts'

/** What an agent says of a storage that failed while it wrote. */
export function storageFailure(thrown: unknown): StorageError {
  return failureOf(
    thrown,
    thrown instanceof StorageError && thrown.kind === 'conflict'
      ? 'The session was changed somewhere else, perhaps in another tab. Reload to go on with it.'
      : `The session could not be stored (${withoutFullStop(messageOf(thrown))}). What came last is not saved.`,
  )
}
