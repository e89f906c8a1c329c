import type { Clock } from '../../internal/clock.ts'
import { withTimeout } from '../../internal/with-timeout.ts'
import { type Claim, type SessionStorage, StorageError } from '../../storage/port.ts'

/** The storage, but an answer that does not come in time counts as a failure. */
export function inTime(storage: SessionStorage, clock: Clock): SessionStorage {
  const answered = <Value>(answer: Promise<Value>) => answeredInTime(answer, clock)
  // Each method is passed on by itself, not by a spread, because a storage may be an object of a class.
  return {
    follow: (...asked) => storage.follow(...asked),
    connect: (...asked) => storage.connect(...asked),
    list: (...asked) => storage.list(...asked),
    describe: (...asked) => storage.describe(...asked),
    writeBytes: (...asked) => storage.writeBytes(...asked),
    delete: (...asked) => storage.delete(...asked),
    ...(storage.lasts && { lasts: async (mode) => storage.lasts?.(mode) ?? 'best-effort' }),
    read: (...asked) => answered(storage.read(...asked)),
    readBytes: (...asked) => answered(storage.readBytes(...asked)),
    append: (...asked) => answered(storage.append(...asked)),
    ...(storage.redact && {
      redact: (...asked) => answered(storage.redact?.(...asked) ?? Promise.resolve()),
    }),
    claim: (sessionId, mode, signal) => {
      const claimed = storage.claim(sessionId, mode, signal)
      if (mode === 'wait') return claimed
      return answered(claimed).catch((error: unknown) => {
        // A claim that comes too late would keep the session from every agent.
        claimed.then((claim) => claim && leaveUnharmed(claim, clock)).catch(() => {})
        throw error
      })
    },
  }
}

/** Milliseconds without an answer after which a storage counts as failed. */
export const storageTimeoutMs = 10_000

const lateMessage = 'it did not answer in time'

export function isLate(error: unknown): boolean {
  return error instanceof StorageError && error.message === lateMessage
}

/** An answer of a storage, or a failure if it does not come in time. */
export function answeredInTime<Value>(answer: Promise<Value>, clock: Clock): Promise<Value> {
  const late = () => new StorageError('unknown', lateMessage)
  return withTimeout(answer, storageTimeoutMs, { clock, late })
}

/**
 * Gives back a claim that was not used, and confirms it first, because the page has not broken. If the storage does not
 * answer, the claim is given back anyway.
 */
export function leaveUnharmed({ confirm, release }: Claim, clock: Clock): void {
  answeredInTime(confirm(), clock).then(release, release)
}
