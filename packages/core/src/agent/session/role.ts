import type { Clock } from '../../internal/clock.ts'
import type { Claim, SessionStorage } from '../../storage/port.ts'
import type { RemoteOwner, SessionPorts } from './ports.ts'
import type { Wishes } from './remote-owner.ts'
import type { ShownStanding } from './shown-standing.ts'
import type { Said } from './wish.ts'

/** What an agent is for its session at one time: owner, follower or reader. */
export interface Role {
  /** The right to write the session; `null` without it. */
  readonly held: HeldClaim | null
  /** Does the commands that this agent may not do; `null` for the owner. */
  readonly remote: RemoteOwner | null
  /** Takes what another agent on the session has posted. */
  readonly receive: (said: Said) => void
  /** Called once the role receives messages, so that what it posts may be answered. */
  readonly enter: () => void
  readonly leave: () => Promise<void>
}

/** A claim, and what waits for it. */
interface HeldClaim {
  readonly claim: Claim
  /** Whether the agent still writes under it. */
  readonly isOwner: () => boolean
  /** Resolves when what was written so far is stored. */
  readonly stored: () => Promise<void>
  /** From now on commands wait, and leaving the role keeps the claim for the next one. */
  readonly keep: () => void
}

/** Removes the content of a message from the session, for the command of a follower with `wishId`. */
export type Redact = (messageId: string, wishId?: string) => Promise<void>

/** What every role needs. */
export interface RoleOptions {
  readonly storage: SessionStorage
  readonly sessionId: string
  readonly clock: Clock
  readonly newId: (prefix: string) => string
  readonly ports: SessionPorts
  /** The owner goes on by itself with a run that was cut off. */
  readonly isResuming: boolean
  readonly standing: ShownStanding
  readonly wishes: Wishes
  readonly say: (said: Said) => void
  readonly redact: Redact
  /** Whether the agent writes the session under this claim. */
  readonly isHolding: (claim: Claim) => boolean
}
