import type { SessionEntry, SessionStorage } from '../storage/port.ts'
import type { SessionStatus } from '../storage/session-status.ts'
import { SessionError } from './session-error.ts'

/** A session, as a list shows it. */
export interface SessionInfo {
  /** The name of the session in the storage. */
  readonly sessionId: string
  /**
   * What a person called it, else how its first message begins; empty without both. One line, at most 100 characters.
   */
  readonly title: string
  /** What the agent of the session does. */
  readonly status: SessionStatus
  /** Whether an agent has the session open, in this tab or another. */
  readonly isOpen: boolean
  /** When the session was created, in epoch milliseconds. */
  readonly createdAt: number
  /** When the session was last written, in epoch milliseconds. */
  readonly updatedAt: number
  /** How many events the session has. */
  readonly events: number
  /** The bytes of the session's files. */
  readonly bytes: number
}

/** The status of a session that is being imported or forked. It counts only when it is complete. */
export const incomplete = 'incomplete'

export async function listSessions(storage: SessionStorage): Promise<readonly SessionInfo[]> {
  return (await storage.list()).filter(isComplete).map(infoOf)
}

function isComplete({ status }: SessionEntry): boolean {
  return status !== incomplete
}

function infoOf({ keys: _, topic, title, status, ...entry }: SessionEntry): SessionInfo {
  return { ...entry, title: title || topic || '', status: statusOf(status, entry.isOpen) }
}

function statusOf(status: string | undefined, isOpen: boolean): SessionStatus {
  switch (status) {
    case 'running':
      return isOpen ? 'running' : 'interrupted'
    case 'waiting':
    case 'error':
      return status
    default:
      return 'idle'
  }
}

/** The entry of a session. Rejects with a `SessionError` if there is none. */
export async function entryOf(storage: SessionStorage, sessionId: string): Promise<SessionEntry> {
  const entry = (await storage.list(sessionId)).find((one) => one.sessionId === sessionId)
  if (entry && isComplete(entry)) return entry
  throw new SessionError(
    'unknown_session',
    `There is no session "${sessionId}". It may have been deleted: list the sessions again.`,
  )
}
