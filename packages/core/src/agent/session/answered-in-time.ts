import type { Clock } from '../../internal/clock.ts'
import { withTimeout } from '../../internal/with-timeout.ts'
import { StorageError } from '../../storage/port.ts'

/** Milliseconds without an answer after which a storage counts as failed. */
export const patienceMs = 10_000

/** An answer of a storage, or a failure if it does not come in time. */
export function answeredInTime<Value>(answer: Promise<Value>, clock: Clock): Promise<Value> {
  const late = () => new StorageError('unknown', 'it did not answer in time')
  return withTimeout(answer, patienceMs, { clock, late })
}
