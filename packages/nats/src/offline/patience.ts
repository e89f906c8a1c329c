import type { Clock } from '@offthread/core/host'
import { StorageError } from '@offthread/core/storage'
import { withTimeout } from '../with-timeout.ts'

/** Milliseconds after which a server that does not answer counts as away: less than an agent waits for its storage. */
const patienceMs = 9000

/** An answer of the server. The server counts as away if the answer does not come in time. */
export function inPatience<Answer>(
  answer: Promise<Answer>,
  clock: Clock,
  onLate: () => void = () => {},
): Promise<Answer> {
  const late = () => {
    onLate()
    return new StorageError('unavailable', 'The server of the storage does not answer.')
  }
  return withTimeout(answer, patienceMs, { clock, late })
}
