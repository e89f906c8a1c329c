import { toJson } from '../../internal/json.ts'
import { messageOf } from '../../internal/message-of.ts'
import { problemOfLog } from '../../runtime/journal.ts'
import type { Claim } from '../../storage/port.ts'
import { StorageError } from '../../storage/port.ts'
import type { Follower } from './follower.ts'
import { createFollower } from './follower.ts'
import { inTime } from './in-time.ts'
import { createOwner } from './owner.ts'
import type { StoredSession } from './ports.ts'
import { createReader } from './reader.ts'
import { createWishes } from './remote-owner.ts'
import type { Role, RoleOptions } from './role.ts'
import type { Said } from './wish.ts'
import { isSaid } from './wish.ts'

export interface SessionOptions extends Omit<RoleOptions, 'wishes' | 'say'> {
  /** Called each time that the agent has a role. */
  readonly onOpen: (session: StoredSession) => void
  /** Called once, when nothing can be stored any more. */
  readonly onFailure: (thrown: unknown) => void
}

/** How many pages in a row may end while they open a session, before it is only shown. */
const maxUnconfirmed = 2

/**
 * Opens a stored session: as its owner if it has none, else as a follower, which becomes the owner when the other one
 * goes. Rejects when it cannot be read; nothing is changed then.
 */
export async function openSession(given: SessionOptions): Promise<void> {
  const { sessionId, ports, onFailure } = given
  const storage = inTime(given.storage, given.clock)
  const line = storage.connect(sessionId, (message) => {
    if (isSaid(message) && !isClosed) role?.hear(message)
  })
  const say = (said: Said) => line.post(toJson(said))
  const wishes = createWishes({
    post: (id, wish) => say({ say: 'wish', id, wish }),
    subscribe: ports.subscribe,
    newId: given.newId,
  })
  const options: RoleOptions = { ...given, storage, wishes, say }
  let role: Role | null = null
  let follower: Follower | null = null
  let isClosed = false

  /** Ends a role before the next begins; one change at a time. */
  let changing: Promise<void> = Promise.resolve()
  function become(next: () => Promise<Role>): Promise<void> {
    const before = changing.catch(() => {})
    changing = before.then(async () => {
      await role?.leave()
      role = null
      if (isClosed) return
      role = await next()
      given.onOpen(session)
      role.enter()
    })
    return changing
  }

  function own(claim: Claim): Role {
    follower = null
    const onTaken = () => void become(followFromStart).catch(onFailure)
    return createOwner(options, claim, { onTaken, onFailure })
  }

  function follow(): Role {
    follower = createFollower(
      options,
      (claim) => void become(() => inherit(claim)).catch(onFailure),
    )
    return follower
  }

  async function read(): Promise<void> {
    const log = await storage.read(sessionId)
    const problem = problemOfLog(log)
    if (problem !== null) throw new StorageError('unknown', problem)
    ports.load(log)
  }

  // What this agent wrote last may not be stored.
  async function followFromStart(): Promise<Role> {
    await read()
    return follow()
  }

  async function inherit(claim: Claim): Promise<Role> {
    try {
      ports.replay(await storage.read(sessionId, ports.state().nextSeq))
      return own(claim)
    } catch (error) {
      claim.release()
      throw error
    }
  }

  async function open(): Promise<Role> {
    const claim = await storage.claim(sessionId, 'if-free')
    try {
      await read()
    } catch (error) {
      claim?.release()
      throw error
    }
    if (!claim) return follow()
    if (claim.unconfirmed < maxUnconfirmed) return own(claim)
    claim.release()
    return createReader(options)
  }

  const session: StoredSession = {
    // Between two roles commands wait for the next one.
    remote: () => (role ? role.remote : wishes),
    takeOver: async () => {
      await follower?.requestRelease()
      if (role && !role.remote) return
      const claim = await storage.claim(sessionId, 'take')
      if (claim) await become(() => inherit(claim))
    },
    // Before the append of the event that names it: a storage keeps the order.
    keepArtifact: (artifactId, data) => {
      const bytes = data instanceof ArrayBuffer ? new Blob([data]) : data
      storage.writeBytes(sessionId, artifactId, bytes).catch((error: unknown) => {
        const message = `The file ${artifactId} is not stored and ends with this page: ${messageOf(error)}`
        ports.write({ type: 'warning', code: 'artifact_not_stored', message })
      })
    },
    close: async () => {
      isClosed = true
      wishes.close()
      await changing.catch(() => {})
      await role?.leave()
      line.close()
    },
  }

  try {
    await become(open)
  } catch (error) {
    line.close()
    throw error
  }
}
