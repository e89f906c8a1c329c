import { type Claim, isKind, StorageError } from '../../storage/port.ts'
import { answeredInTime, leaveUnharmed } from './in-time.ts'
import type { Role, RoleOptions } from './role.ts'
import type { RoleChanges } from './role-changes.ts'
import type { Said } from './wish.ts'

/** Milliseconds that an owner has to store what it has, before the session is taken from it. */
export const handOverMs = 3000

/** Makes the agent the owner of its session. */
export interface TakeOver {
  /** A second call while the first is being done waits for the same end. */
  readonly take: () => Promise<void>
  /** Takes what another agent on the session has posted. */
  readonly receive: (said: Said) => void
}

interface TakeOverOptions extends Pick<RoleOptions, 'storage' | 'sessionId' | 'say' | 'clock'> {
  /** Rejects when the agent ends, or nothing can be stored any more. */
  readonly ended: Promise<never>
}

interface Change extends Pick<RoleChanges, 'current' | 'become'> {
  readonly isFollowing: () => boolean
  /** Throws if the session cannot be owned. */
  readonly check: () => void
  /** Reads the session as it is stored now, and makes the role of its owner. */
  readonly inherit: (claim: Claim) => Promise<Role>
  /** Returns a function that makes the agent's present role once more. */
  readonly roleBefore: () => () => Role
}

export function createTakeOver(
  { storage, sessionId, say, clock, ended }: TakeOverOptions,
  { current, become, isFollowing, check, inherit, roleBefore }: Change,
): TakeOver {
  let onReleased = () => {}

  /**
   * Asks the owner to give the session away. Resolves when it has stored what it did, or did not answer in time: with
   * `false` if this agent ends before.
   */
  async function askForIt(): Promise<boolean> {
    let cancelTimer = () => {}
    const answered = new Promise<void>((resolve) => {
      onReleased = resolve
      cancelTimer = clock.setTimer(handOverMs, resolve)
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
  }

  async function requireSpace(): Promise<void> {
    const written = storage.describe(sessionId, {})
    await answeredInTime(written, clock).catch((error: unknown) => {
      if (isKind(error, 'full')) throw error
    })
  }

  async function takeOver(): Promise<void> {
    check()
    // A follower is already waiting for the claim, so this one could not get it.
    const free = isFollowing() ? null : await storage.claim(sessionId, 'if-free')
    // Without space for a claim the owner would give up for nothing what it could not store either.
    if (!free) await requireSpace()
    if (!free && !(await askForIt())) return undefined
    if (current()?.remote === null) return free ? leaveUnharmed(free, clock) : undefined
    const claim = free ?? (await storage.claim(sessionId, 'take'))
    if (!claim) return
    const before = roleBefore()
    await become(() => inherit(claim), claim).catch(async (error: unknown) => {
      await become(async () => before())
      throw error
    })
  }

  return {
    take: oneAtATime(takeOver),
    receive: (said) => {
      if (said.say === 'released') onReleased()
    },
  }
}

function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | null = null
  return () => {
    underWay ??= work().finally(() => {
      underWay = null
    })
    return underWay
  }
}
