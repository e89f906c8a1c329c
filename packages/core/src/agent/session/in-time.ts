import type { Clock } from '../../internal/clock.ts'
import { withTimeout } from '../../internal/with-timeout.ts'
import { type SessionStorage, StorageError } from '../../storage/port.ts'

/** Milliseconds without an answer after which a storage counts as failed. */
export const patienceMs = 10_000

/** An answer of a storage, or a failure if it does not come in time. */
export function answeredInTime<Value>(answer: Promise<Value>, clock: Clock): Promise<Value> {
  const late = () => new StorageError('unknown', 'it did not answer in time')
  return withTimeout(answer, patienceMs, { clock, late })
}

/** The storage, with an answer that does not come in time as a failure. */
export function inTime(storage: SessionStorage, clock: Clock): SessionStorage {
  const { redact } = storage
  const answered = <Value>(answer: Promise<Value>) => answeredInTime(answer, clock)
  return {
    ...storage,
    read: (...asked) => answered(storage.read(...asked)),
    readBytes: (...asked) => answered(storage.readBytes(...asked)),
    append: (...asked) => answered(storage.append(...asked)),
    ...(redact && { redact: (...asked) => answered(redact(...asked)) }),
    claim: (sessionId, mode, signal) => {
      const claimed = storage.claim(sessionId, mode, signal)
      if (mode === 'wait') return claimed
      return answered(claimed).catch((error: unknown) => {
        // One that comes too late would keep the session from everybody.
        claimed.then((claim) => claim?.release()).catch(() => {})
        throw error
      })
    },
  }
}
