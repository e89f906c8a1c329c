import type { Clock } from '../../internal/clock.ts'
import { createDeferred } from '../../internal/deferred.ts'
import { toJson } from '../../internal/json.ts'
import type { State } from '../../kernel/state.ts'
import { type Claim, isKind, type SessionStorage, type StorageError } from '../../storage/port.ts'
import { createFiles } from './files.ts'
import { followChecked } from './follow-checked.ts'
import { createFollower } from './follower.ts'
import { inTime, leaveUnharmed } from './in-time.ts'
import { createLosses } from './losses.ts'
import { createOwner } from './owner.ts'
import type { SessionPorts, StoredSession } from './ports.ts'
import { brokenPage, createReader, type ReadingReason } from './reader.ts'
import { type KeptSession, redactKept } from './redact-kept.ts'
import { createRedaction, type RedactionOptions } from './redact-owned.ts'
import { createWishes, type Wishes } from './remote-owner.ts'
import type { Redact, Role, RoleOptions } from './role.ts'
import { createRoleChanges, createRoleEnd } from './role-changes.ts'
import { isSaid } from './said-shapes.ts'
import { createShownStanding } from './shown-standing.ts'
import { createStoredLog, type StoredLog } from './stored-log.ts'
import { createTakeOver } from './take-over.ts'
import type { Said } from './wish.ts'

export interface SessionOptions
  extends Omit<RoleOptions, 'wishes' | 'say' | 'standing' | 'redact' | 'isHolding'> {
  /** Called each time that the agent has taken a role. */
  readonly onOpen: (session: StoredSession) => void
  /** Called once, when nothing can be stored any more. */
  readonly fail: (failure: StorageError) => void
}

/**
 * Opens a stored session: as its owner if it has none, else as a follower, which becomes the owner when the other one
 * goes. Rejects when it cannot be read; nothing is changed then.
 */
export async function openSession(given: SessionOptions): Promise<void> {
  const { sessionId, newId, clock, onOpen } = given
  const storage = inTime(given.storage, clock)
  const line = storage.connect(sessionId, (message) => {
    if (isSaid(message) && !isOutdated(message, ports.state())) roles.receive(message)
  })
  const say = (said: Said) => line.post(toJson(said))
  const wishes = createWishes({
    post: (id, wish) => say({ say: 'wish', id, wish, seq: ports.state().nextSeq }),
    ports: given.ports,
    ...{ newId, clock },
  })
  const ports = notingWishes(given.ports, wishes)
  const ending = createDeferred<never>()
  ending.promise.catch(() => {})
  const fail = (failure: StorageError) => {
    given.fail(failure)
    wishes.fail(failure)
    ending.reject(failure)
  }
  const standing = createShownStanding(storage, ports)
  const log = createStoredLog({ storage, sessionId, ports })
  const files = createFiles(ports, () => roles.current()?.held?.claim)
  const roles = createRoles(
    {
      ...{ ...given, storage, ports, standing, wishes, say, fail, log },
      ...{ filesKept: files.kept, ended: ending.promise },
    },
    () => onOpen(session),
  )
  const session: StoredSession = {
    // Between two roles commands wait for the next one.
    remote: () => {
      const role = roles.current()
      return role ? role.remote : wishes
    },
    takeOver: roles.takeOver,
    redact: (messageId) => {
      const remote = session.remote()
      if (!remote) return roles.redact(messageId)
      // No answer comes to an agent that ends.
      return Promise.race([remote.ask({ command: 'redact', messageId }), ending.promise])
    },
    keepArtifact: files.keep,
    past: log.past,
    close: async () => {
      wishes.close()
      ending.reject(new TypeError('The agent was disposed. Create a new one.'))
      await roles.close()
      line.close()
    },
  }
  standing.look()
  try {
    await roles.open()
  } catch (error) {
    line.close()
    throw error
  }
  whenAborted(line.ended, roles.fail)
}

function whenAborted(signal: AbortSignal, callback: (reason: unknown) => void): void {
  const call = () => callback(signal.reason)
  if (signal.aborted) call()
  else signal.addEventListener('abort', call)
}

/** The ports, extended so that wishes learn from events that they were done. */
function notingWishes(ports: SessionPorts, wishes: Wishes): SessionPorts {
  return {
    ...ports,
    load: (state, news) => {
      ports.load(state, news)
      for (const event of news) {
        if (event.type === 'message_redacted') event.artifactIds.forEach(ports.dropArtifact)
      }
      wishes.seen(ports.log)
    },
    replay: (events) => {
      ports.replay(events)
      wishes.seen(events)
    },
  }
}

/** Removes a message from the session of an agent; `null`: it is in no storage. */
export async function redactIn(
  session: StoredSession | null,
  kept: KeptSession,
  messageId: string,
): Promise<void> {
  if (session) await session.redact(messageId)
  else redactKept(kept, messageId)
}

/** The roles of the agent, and the commands that change them. */
interface Roles {
  /** The role; `null` before the first one, between two, and after the end. */
  readonly current: () => Role | null
  /** Passes a message of another agent on the session to the role. */
  readonly receive: (said: Said) => void
  /** Ends every role, because nothing can be stored any more. */
  readonly fail: (thrown: unknown) => void
  readonly open: () => Promise<void>
  readonly takeOver: () => Promise<void>
  readonly redact: Redact
  readonly close: () => Promise<void>
}

interface RolesOptions
  extends Omit<RoleOptions, 'redact' | 'isHolding'>,
    Pick<SessionOptions, 'fail'>,
    Pick<RedactionOptions, 'filesKept' | 'ended'> {
  readonly log: StoredLog
}

/** How many pages in a row may end while they open a session, before it is only shown. */
const maxUnconfirmed = 2

function createRoles(given: RolesOptions, onEnter: () => void): Roles {
  const { storage, clock, fail, log } = given
  const { current, become, close } = createRoleChanges(clock, onEnter)
  const { onFailure, throwIfFailed } = createRoleEnd(fail, close)
  const redact = createRedaction({ ...given, current, become, own: inherit, onFailure })
  const options: RoleOptions = { ...given, redact, isHolding: (claim) => isHeld(current(), claim) }
  /** Makes the role that the agent has again; `null`: it owns the session, or has none yet. */
  let again: (() => Role) | null = null
  const losses = createLosses()

  function own(claim: Claim): Role {
    again = null
    const onTaken = (divergence?: StorageError) => startAgain(divergence ? log.loadOther : log.load)
    const fates = losses.counted(claim, { onTaken, onFailure })
    return createOwner({ ...options, opened: log.opened() }, claim, fates)
  }

  /**
   * The two events that end following: damage, after which the session is only shown, and a redaction, after which it
   * is read again.
   */
  const ends = (next: () => Role) => ({
    onDamage: (damage: StorageError) => void become(async () => read(damage)),
    onRedaction: () => void become(() => reloaded(next)).catch(onFailure),
  })

  function follow(): Role {
    const onGranted = (claim: Claim) => void become(() => inherit(claim), claim).catch(onFailure)
    const followed = followChecked(storage, ends(follow))
    const onReturn = () => startAgain(log.load)
    const fates = { claimAfterMs: losses.pauseMs(), onGranted, onReturn, onFailure }
    again = follow
    return createFollower({ ...options, storage: followed }, fates)
  }

  function startAgain(load: StoredLog['load']): void {
    become(() => reloaded(follow, load)).catch(onFailure)
  }

  function read(reason: ReadingReason): Role {
    again = () => read(reason)
    const followed = followChecked(storage, ends(again))
    return createReader({ ...options, storage: followed }, reason)
  }

  /** Reads the session again, because this agent may hold events that are not stored, or not any more. */
  async function reloaded(next: () => Role, load = log.load): Promise<Role> {
    const damage = await load()
    return damage ? read(damage) : next()
  }

  async function inherit(claim: Claim): Promise<Role> {
    // A follower has only what is stored, so reading the rest is enough. If it was the owner meanwhile, it may have
    // more.
    const reading = again === follow ? log.loadRest() : log.load()
    const damage = await readUnder(claim, reading, clock)
    return damage ? read(damage) : own(claim)
  }

  const takeOver = createTakeOver(given, {
    ...{ current, become, inherit, isFollowing: () => again === follow },
    roleBefore: () => again ?? follow,
    check: () => {
      throwIfFailed()
      log.throwIfDamaged()
    },
  })
  return {
    ...{ current, fail: onFailure, close, redact, takeOver: takeOver.take },
    open: () => become(() => firstRole(given, { own, follow, read })),
    receive: (said) => {
      takeOver.receive(said)
      current()?.receive(said)
    },
  }
}

/** Whether an owner says it that was replaced: another one has opened the log since. Its opening may not be read yet. */
function isOutdated({ by }: Said, { nextSeq, bootId }: State): boolean {
  return by !== undefined && by.seq < nextSeq && by.bootId !== bootId
}

/** What the agent becomes when it opens the session. */
async function firstRole(
  { storage, sessionId, clock, log }: Pick<RolesOptions, 'storage' | 'sessionId' | 'clock' | 'log'>,
  { own, follow, read }: RoleMakers,
): Promise<Role> {
  const { claim, full } = await claimIfFree(storage, sessionId)
  const damage = await readUnder(claim, log.load(), clock)
  const reason = damage ?? full
  if (reason) return read(reason)
  if (!claim) return follow()
  if (claim.unconfirmed < maxUnconfirmed) return own(claim)
  claim.release()
  return read(brokenPage)
}

interface RoleMakers {
  readonly own: (claim: Claim) => Role
  readonly follow: () => Role
  readonly read: (reason: ReadingReason) => Role
}

function isHeld(role: Role | null, claim: Claim): boolean {
  return role?.held?.claim === claim && role.held.isOwner()
}

/** Claims a session if it is free. `full`: there is no space for the claim, but the session can still be read. */
async function claimIfFree(
  { claim }: SessionStorage,
  sessionId: string,
): Promise<{ readonly claim: Claim | null; readonly full: StorageError | null }> {
  try {
    return { claim: await claim(sessionId, 'if-free'), full: null }
  } catch (error) {
    if (isKind(error, 'full')) return { claim: null, full: error }
    throw error
  }
}

/**
 * Resolves with the reason why the stored log cannot be used. The claim is given back then, without a count against the
 * page, because it did not break.
 */
async function readUnder(
  claim: Claim | null,
  reading: Promise<StorageError | null>,
  clock: Clock,
): Promise<StorageError | null> {
  let isUsable = false
  try {
    const damage = await reading
    isUsable = damage === null
    return damage
  } finally {
    if (claim && !isUsable) leaveUnharmed(claim, clock)
  }
}
