import type { Clock } from '../../internal/clock.ts'
import type { SessionStorage } from '../../storage/port.ts'
import { answeredInTime } from './answered-in-time.ts'
import { leaveUnharmed } from './leave-unharmed.ts'

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
        claimed.then((claim) => claim && leaveUnharmed(claim, clock)).catch(() => {})
        throw error
      })
    },
  }
}
