import type { Clock } from '../../internal/clock.ts'
import { defined } from '../../internal/defined.ts'
import { type Claim, type SessionStorage, StorageError } from '../../storage/port.ts'
import { AgentUsageError } from '../usage-errors.ts'
import { answeredInTime } from './in-time.ts'
import type { SessionPorts } from './ports.ts'
import { canRedact, redactStored } from './redact-stored.ts'
import { targetIn } from './redaction.ts'
import type { Redact, Role } from './role.ts'
import type { StoredLog } from './stored-log.ts'

export interface RedactionOptions {
  readonly storage: SessionStorage
  readonly clock: Clock
  readonly ports: Pick<SessionPorts, 'state'>
  readonly log: Pick<StoredLog, 'opened'>
  readonly current: () => Role | null
  /**
   * Leaves the role, unless the check throws, and takes the next one. The claim is given back if none begins any more.
   */
  readonly become: (next: () => Promise<Role>, claim: Claim, check: () => void) => Promise<void>
  /** Reads the session as it is stored now, and makes the role of its owner. */
  readonly own: (claim: Claim) => Promise<Role>
  /** Resolves when no file is being written. */
  readonly filesKept: () => Promise<unknown>
  /** Rejects when the agent ends, or nothing can be stored any more. */
  readonly ended: Promise<never>
  /** Called when the session cannot be read again. */
  readonly onFailure: (thrown: unknown) => void
}

/**
 * Removes messages from a session that this agent owns, one after the other. For each, the agent leaves its role, keeps
 * its claim, and takes the role again with what is stored then: so nothing in memory outlives the content that was
 * removed.
 */
export function createRedaction(options: RedactionOptions): Redact {
  let last: Promise<void> = Promise.resolve()
  // The state does not show of a prompt that never became a message whether it was removed. To remove it once more would
  // change the role, after which all followers ask again.
  const removed = new Set<string>()
  return (messageId, wishId) => {
    const done = last.then(async () => {
      if (removed.has(messageId)) return
      await redactOwned(options, messageId, wishId)
      removed.add(messageId)
    })
    last = done.catch(() => {})
    return done
  }
}

async function redactOwned(
  options: RedactionOptions,
  messageId: string,
  wishId: string | undefined,
): Promise<void> {
  const { storage, clock, ports, log, current, become, own, filesKept, ended } = options
  if (!canRedact(storage)) throw unsupported()
  let target = targetIn(ports.state(), messageId)
  if (target.isRedacted) return
  const held = current()?.held
  if (!held) throw replaced()
  await Promise.race([held.stored(), ended])
  await answeredInTime(filesKept(), clock)
  const check = (): void => {
    if (current()?.held !== held) throw replaced()
    target = targetIn(ports.state(), messageId)
    held.keep()
    hasLeft = true
  }
  let hasLeft = false
  let failure: unknown = replaced()
  let isDone = false
  const next = async (): Promise<Role> => {
    const { epoch } = held.claim
    const origin = { ts: clock.now(), ...defined({ wishId }) }
    const state = ports.state()
    const redacting = redactStored(storage, { target, state, epoch, origin })
    const isNew = await redacting.catch((thrown: unknown) => {
      failure = thrown
      return true
    })
    const role = await own(held.claim)
    // Only what is stored now shows whether the redaction was done, whatever the storage answered.
    const { last } = log.opened()
    isDone = !isNew || (last?.type === 'message_redacted' && last.seq >= state.nextSeq)
    return role
  }
  await become(next, held.claim, check).catch((thrown: unknown) => {
    if (hasLeft) options.onFailure(thrown)
    throw thrown
  })
  if (!isDone) throw failure
}

function unsupported(): AgentUsageError {
  return new AgentUsageError(
    'not_supported',
    'The storage of this session cannot remove content: it has no redact(). Delete the session, or use a storage that has it.',
  )
}

function replaced(): StorageError {
  return new StorageError(
    'not_owner',
    'Another tab or agent took the session before the message was redacted. Try again.',
  )
}
