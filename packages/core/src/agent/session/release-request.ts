import { StorageError } from '../../storage/port.ts'
import type { RoleOptions } from './role.ts'
import type { Said } from './wish.ts'

/** Milliseconds that an owner has to store what it has, before the session is taken from it. */
export const patienceMs = 3000

/** Asks the owner of a session to give it away. */
export interface ReleaseRequest {
  /** Resolves when the owner has stored what it did, or did not answer in time: with `false` if this agent ends before. */
  readonly make: () => Promise<boolean>
  /** Takes what another agent on the session has posted. */
  readonly receive: (said: Said) => void
}

export interface ReleaseRequestOptions extends Pick<RoleOptions, 'say' | 'clock'> {
  /** Rejects when the agent ends, or nothing can be stored any more. */
  readonly ended: Promise<never>
}

export function createReleaseRequest({ say, clock, ended }: ReleaseRequestOptions): ReleaseRequest {
  let resolve = () => {}
  return {
    receive: (said) => {
      if (said.say === 'released') resolve()
    },
    make: async () => {
      let cancelTimer = () => {}
      const answered = new Promise<void>((released) => {
        resolve = released
        cancelTimer = clock.setTimer(patienceMs, released)
        say({ say: 'release' })
      })
      try {
        return await Promise.race([answered.then(() => true), ended])
      } catch (error) {
        if (error instanceof StorageError) throw error
        return false
      } finally {
        cancelTimer()
      }
    },
  }
}
