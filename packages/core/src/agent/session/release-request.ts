import type { RoleOptions } from './role.ts'
import type { Said } from './wish.ts'

/** Milliseconds that an owner has to store what it has, before the session is taken from it. */
export const patienceMs = 3000

/** Asks the owner of a session to give it away. */
export interface ReleaseRequest {
  /** Resolves when the owner has stored what it did, or did not answer in time. */
  readonly make: () => Promise<void>
  /** What another agent on the session says. */
  readonly hear: (said: Said) => void
}

export function createReleaseRequest({
  say,
  clock,
}: Pick<RoleOptions, 'say' | 'clock'>): ReleaseRequest {
  let resolve = () => {}
  return {
    hear: (said) => {
      if (said.say === 'released') resolve()
    },
    make: async () => {
      let cancelTimer = () => {}
      await new Promise<void>((released) => {
        resolve = released
        cancelTimer = clock.setTimer(patienceMs, released)
        say({ say: 'release' })
      })
      cancelTimer()
    },
  }
}
