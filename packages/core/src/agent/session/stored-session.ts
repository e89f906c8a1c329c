import { toJson } from '../../internal/json.ts'
import { messageOf } from '../../internal/message-of.ts'
import { type Claim, type SessionStorage, StorageError } from '../../storage/port.ts'
import { followChecked } from './follow-checked.ts'
import { createFollower, type Follower } from './follower.ts'
import { inTime } from './in-time.ts'
import { createOwner } from './owner.ts'
import type { SessionPorts, StoredSession } from './ports.ts'
import { brokenPage, createReader, type ReadingReason } from './reader.ts'
import { createWishes } from './remote-owner.ts'
import type { Role, RoleOptions } from './role.ts'
import { createShownStanding } from './shown-standing.ts'
import { storageFailure } from './storage-failure.ts'
import { createStoredLog, type StoredLog } from './stored-log.ts'
import { isSaid, type Said } from './wish.ts'

export interface SessionOptions extends Omit<RoleOptions, 'wishes' | 'say' | 'standing'> {
  /** Called each time that the agent has a role. */
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
    if (isSaid(message)) roles.current()?.hear(message)
  })
  const say = (said: Said) => line.post(toJson(said))
  const wishes = createWishes({
    post: (id, wish) => say({ say: 'wish', id, wish, seq: ports.state().nextSeq }),
    ports: given.ports,
    ...{ newId, clock },
  })
  const ports: SessionPorts = {
    ...given.ports,
    load: (state, news) => {
      given.ports.load(state, news)
      wishes.seen(given.ports.log)
    },
    replay: (events) => {
      given.ports.replay(events)
      wishes.seen(events)
    },
  }
  const fail = (failure: StorageError) => {
    given.fail(failure)
    wishes.fail(failure)
  }
  const standing = createShownStanding(storage, ports)
  const log = createStoredLog({ storage, sessionId, ports })
  const roles = createRoles({ ...given, storage, ports, standing, wishes, say, fail, log }, () =>
    onOpen(session),
  )
  const session: StoredSession = {
    // Between two roles commands wait for the next one.
    remote: () => {
      const role = roles.current()
      return role ? role.remote : wishes
    },
    takeOver: roles.takeOver,
    // Before the append of the event that names it: a storage keeps the order.
    keepArtifact: (artifactId, data) => {
      const bytes = data instanceof ArrayBuffer ? new Blob([data]) : data
      storage.writeBytes(sessionId, artifactId, bytes).catch((error: unknown) => {
        const message = `The file ${artifactId} is not stored and ends with this page: ${messageOf(error)}`
        ports.write({ type: 'warning', code: 'artifact_not_stored', message })
      })
    },
    past: log.past,
    close: async () => {
      wishes.close()
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
}

/** What the agent is for its session. */
interface Roles {
  /** `null` before the first, between two, and when it is closed. */
  readonly current: () => Role | null
  readonly open: () => Promise<void>
  readonly takeOver: () => Promise<void>
  readonly close: () => Promise<void>
}

interface RolesOptions extends RoleOptions, Pick<SessionOptions, 'fail'> {
  readonly log: StoredLog
}

/** How many pages in a row may end while they open a session, before it is only shown. */
const maxUnconfirmed = 2

function createRoles(options: RolesOptions, onEnter: () => void): Roles {
  const { storage, sessionId, fail, log } = options
  const onFailure = (thrown: unknown) => fail(storageFailure(thrown))
  const { current, become, close } = createTurns(onEnter)
  let follower: Follower | null = null
  let reading: ReadingReason = brokenPage

  function own(claim: Claim): Role {
    follower = null
    return createOwner({ ...options, opened: log.opened() }, claim, {
      onTaken: startAgain,
      onFailure,
    })
  }

  function follow(): Role {
    const onGranted = (claim: Claim) => void become(() => inherit(claim), claim).catch(onFailure)
    const onDamage = (damage: StorageError) => void become(async () => read(damage))
    const followed = followChecked(storage, onDamage)
    follower = createFollower(
      { ...options, storage: followed },
      { onGranted, onReturn: startAgain, onFailure },
    )
    return follower
  }

  function startAgain(): void {
    become(followFromStart).catch(onFailure)
  }

  function read(reason: ReadingReason): Role {
    follower = null
    reading = reason
    return createReader(options, reason)
  }

  // What this agent wrote last may not be stored.
  async function followFromStart(): Promise<Role> {
    const damage = await log.load()
    return damage ? read(damage) : follow()
  }

  async function inherit(claim: Claim): Promise<Role> {
    // A follower has only what is stored. One that was the owner meanwhile may have more.
    const damage = await releasedOnFailure(claim, follower ? log.loadRest() : log.load())
    if (damage) leaveUnharmed(claim)
    return damage ? read(damage) : own(claim)
  }

  async function take(): Promise<void> {
    log.throwIfDamaged()
    await follower?.requestRelease()
    if (current()?.remote === null) return
    const claim = await storage.claim(sessionId, 'take')
    if (!claim) return
    const before = follower ? follow : () => read(reading)
    try {
      await become(() => inherit(claim), claim)
    } catch (error) {
      await become(async () => before())
      throw error
    }
  }

  async function enter(): Promise<Role> {
    const { claim, full } = await claimIfFree(storage, sessionId)
    const damage = await releasedOnFailure(claim, log.load())
    if (damage && claim) leaveUnharmed(claim)
    const reason = damage ?? full
    if (reason) return read(reason)
    if (!claim) return follow()
    if (claim.unconfirmed < maxUnconfirmed) return own(claim)
    claim.release()
    return read(brokenPage)
  }

  return { current, close, open: () => become(enter), takeOver: oneAtATime(take) }
}

/** Claims a session; without space for that it can still be read. */
async function claimIfFree(
  { claim }: SessionStorage,
  sessionId: string,
): Promise<{ readonly claim: Claim | null; readonly full: StorageError | null }> {
  try {
    return { claim: await claim(sessionId, 'if-free'), full: null }
  } catch (error) {
    if (error instanceof StorageError && error.kind === 'full') return { claim: null, full: error }
    throw error
  }
}

/** Gives a claim back that came to nothing, though the page has not broken. */
function leaveUnharmed({ confirm, release }: Claim): void {
  confirm().then(release, release)
}

/** Who asks while it is done waits for the same end. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | null = null
  return () => {
    underWay ??= work().finally(() => {
      underWay = null
    })
    return underWay
  }
}

/** The work's outcome. A claim is given back if the work fails. */
async function releasedOnFailure<Outcome>(
  claim: Claim | null,
  work: Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await work
  } catch (error) {
    claim?.release()
    throw error
  }
}

/** Ends a role before the next one begins: one change at a time. */
function createTurns(onEnter: () => void) {
  let role: Role | null = null
  let isClosed = false
  let changing: Promise<void> = Promise.resolve()
  return {
    current: () => (isClosed ? null : role),
    /** The claim that comes with the role is given back if no role begins any more. */
    become: (next: () => Promise<Role>, claim?: Claim): Promise<void> => {
      const before = changing.catch(() => {})
      changing = before.then(async () => {
        await role?.leave()
        role = null
        if (isClosed) return claim?.release()
        role = await next()
        onEnter()
        role.enter()
      })
      return changing
    },
    close: async (): Promise<void> => {
      isClosed = true
      await changing.catch(() => {})
      await role?.leave()
    },
  }
}
