import type { Claim } from '../../storage/port.ts'

/** Gives a claim back that came to nothing, though the page has not broken. */
export function leaveUnharmed({ confirm, release }: Claim): void {
  confirm().then(release, release)
}
