import type { Claim } from '../../storage/port.ts'
import { leaveUnharmed } from './leave-unharmed.ts'
import {
  createReleaseRequest,
  type ReleaseRequest,
  type ReleaseRequestOptions,
} from './release-request.ts'
import type { Role, RoleOptions } from './role.ts'
import type { RoleChanges } from './role-changes.ts'

/** Makes the agent the owner of its session. */
export interface TakeOver extends Pick<ReleaseRequest, 'receive'> {
  /** A second call while the first is being done waits for the same end. */
  readonly take: () => Promise<void>
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
  options: Pick<RoleOptions, 'storage' | 'sessionId'> & ReleaseRequestOptions,
  { current, become, isFollowing, check, inherit, roleBefore }: Change,
): TakeOver {
  const { storage, sessionId, clock } = options
  const release = createReleaseRequest(options)

  async function takeOver(): Promise<void> {
    check()
    // A follower is already waiting for the claim, so this one could not get it.
    const free = isFollowing() ? null : await storage.claim(sessionId, 'if-free')
    if (!free && !(await release.make())) return undefined
    if (current()?.remote === null) return free ? leaveUnharmed(free, clock) : undefined
    const claim = free ?? (await storage.claim(sessionId, 'take'))
    if (!claim) return
    const before = roleBefore()
    await become(() => inherit(claim), claim).catch(async (error: unknown) => {
      await become(async () => before())
      throw error
    })
  }

  return { take: oneAtATime(takeOver), receive: release.receive }
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
