import type { Clock } from '../../internal/clock.ts'
import type { Claim } from '../../storage/port.ts'
import { answeredInTime } from './answered-in-time.ts'

/**
 * Gives back a claim that was not used, and confirms it first, because the page has not broken. If the storage does not
 * answer, the claim is given back anyway.
 */
export function leaveUnharmed({ confirm, release }: Claim, clock: Clock): void {
  answeredInTime(confirm(), clock).then(release, release)
}
