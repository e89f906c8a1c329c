import type { Clock } from '../../internal/clock.ts'
import type { Claim } from '../../storage/port.ts'
import { answeredInTime } from './answered-in-time.ts'

/** Gives a claim back that came to nothing, though the page has not broken. A storage without an answer keeps it no longer. */
export function leaveUnharmed({ confirm, release }: Claim, clock: Clock): void {
  answeredInTime(confirm(), clock).then(release, release)
}
