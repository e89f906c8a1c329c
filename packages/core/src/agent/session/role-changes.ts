import type { Clock } from '../../internal/clock.ts'
import { withoutFullStop } from '../../internal/full-stop.ts'
import { messageOf } from '../../internal/message-of.ts'
import { type Claim, isKind, type StorageError } from '../../storage/port.ts'
import { failureOf } from '../failure.ts'
import { leaveUnharmed } from './in-time.ts'
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

/** Ends every role when the storage has failed, so that another agent can use what the role held or waited for. */
export function createRoleEnd(
  fail: (failure: StorageError) => void,
  close: () => Promise<void>,
): { readonly throwIfFailed: () => void; readonly onFailure: (thrown: unknown) => void } {
  let failure: StorageError | null = null
  return {
    throwIfFailed: (): void => {
      if (failure) throw failure
    },
    onFailure: (thrown: unknown): void => {
      if (failure) return
      failure = storageFailure(thrown)
      fail(failure)
      void close()
    },
  }
}

/** The error that an agent shows when its storage has failed. */
export function storageFailure(thrown: unknown): StorageError {
  return failureOf(
    thrown,
    isKind(thrown, 'conflict')
      ? 'The session was changed somewhere else, perhaps in another tab. Reload to go on with it.'
      : `The session could not be stored (${withoutFullStop(messageOf(thrown))}). What came last is not saved.`,
  )
}
