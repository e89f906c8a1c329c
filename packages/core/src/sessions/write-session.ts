import type { DurableEvent } from '../kernel/events.ts'
import type { Claim, SessionEntry, SessionStorage } from '../storage/port.ts'
import { incomplete } from './list-sessions.ts'
import { SessionError } from './session-error.ts'

/** Writes a session that did not exist before. */
export interface SessionWriter {
  readonly append: (events: readonly DurableEvent[]) => Promise<void>
  readonly writeBytes: (key: string, data: Blob) => Promise<void>
  /** Sets what lists show of the session. */
  readonly describe: (description: Description) => Promise<void>
}

interface Description {
  readonly title?: string
  readonly topic?: string
  readonly status?: string
}

/**
 * Writes a new session, whole or not at all: what was stored of it is removed when the work fails. Rejects with a
 * `SessionError` if the name is taken, and changes nothing then.
 */
export async function writeSession<Result>(
  storage: SessionStorage,
  sessionId: string,
  work: (writer: SessionWriter) => Promise<Result>,
): Promise<Result> {
  const claim = await claimFree(storage, sessionId)
  let head = 0
  try {
    const result = await work({
      append: async (events) => {
        await storage.append(sessionId, { head, epoch: claim.epoch }, events)
        head += events.length
      },
      writeBytes: (key, data) => storage.writeBytes(sessionId, key, data),
      describe: (description) => storage.describe(sessionId, description),
    })
    await claim.confirm()
    return result
  } catch (error) {
    // A session that another page has taken is not removed. One that cannot be removed stays marked as incomplete.
    if (!claim.lost.aborted) await storage.delete(sessionId).catch(() => {})
    throw error
  } finally {
    claim.release()
  }
}

async function claimFree(storage: SessionStorage, sessionId: string): Promise<Claim> {
  // Looks first, because a claim counts as an opening of the session.
  const known = (await storage.list(sessionId)).find((one) => one.sessionId === sessionId)
  if (known && isLeft(known)) await storage.delete(sessionId)
  else if (known) throw taken(sessionId)
  const claim = await storage.claim(sessionId, 'if-free')
  if (!claim) throw taken(sessionId)
  let isFree = false
  try {
    isFree = (await storage.read(sessionId, 0, 1)).length === 0
  } finally {
    // The claim is confirmed, because this was no opening that broke the page.
    if (!isFree) await claim.confirm().catch(() => {})
    if (!isFree) claim.release()
  }
  if (!isFree) throw taken(sessionId)
  return claim
}

/** Removes incomplete sessions, whose pages ended while writing them. */
export async function removeIncomplete(storage: SessionStorage): Promise<void> {
  for (const one of await storage.list()) if (isLeft(one)) await storage.delete(one.sessionId)
}

function isLeft({ status, isOpen }: SessionEntry): boolean {
  return status === incomplete && !isOpen
}

function taken(sessionId: string): SessionError {
  return new SessionError(
    'name_taken',
    `There is a session "${sessionId}" already. Choose another name, or leave it out to get a new one.`,
  )
}
