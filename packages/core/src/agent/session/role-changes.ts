import type { Clock } from '../../internal/clock.ts'
import type { Claim } from '../../storage/port.ts'
import { leaveUnharmed } from './leave-unharmed.ts'
import type { Role } from './role.ts'

/** The roles of an agent, one after the other. */
export interface RoleChanges {
  /** The role; `null` before the first one, between two, and after the end. */
  readonly current: () => Role | null
  /**
   * Leaves the role, unless `check` throws, and takes the next one. The claim that comes with that is given back if no role
   * begins any more.
   */
  readonly become: (next: () => Promise<Role>, claim?: Claim, check?: () => void) => Promise<void>
  readonly close: () => Promise<void>
}

/** Ends a role before the next one begins: one change at a time. */
export function createRoleChanges(clock: Clock, onEnter: () => void): RoleChanges {
  let role: Role | null = null
  let isClosed = false
  let changing: Promise<void> = Promise.resolve()
  return {
    current: () => (isClosed ? null : role),
    become: (next, claim, check = () => {}) => {
      const before = changing.catch(() => {})
      changing = before.then(async () => {
        check()
        await role?.leave()
        role = null
        if (isClosed) return claim && leaveUnharmed(claim, clock)
        role = await next()
        onEnter()
        role.enter()
      })
      return changing
    },
    close: async () => {
      isClosed = true
      await changing.catch(() => {})
      const last = role
      role = null
      await last?.leave()
    },
  }
}
