import { defined } from '../internal/defined.ts'
import type { Environment } from '../internal/environment.ts'
import { artifactsOf } from '../kernel/artifacts-of.ts'
import type { DurableEvent } from '../kernel/events.ts'
import { emptyState, type State } from '../kernel/state.ts'
import { statusOf } from '../kernel/status.ts'
import { foldStored } from '../runtime/read-log.ts'
import { isDerived } from '../storage/derived-bytes.ts'
import { isKind, type SessionStorage, StorageError } from '../storage/port.ts'
import { sessionStatusOf } from '../storage/session-status.ts'
import { closeLog } from './close-log.ts'
import { entryOf, incomplete } from './list-sessions.ts'
import { readInParts } from './read-in-parts.ts'
import { SessionError } from './session-error.ts'
import { removeIncomplete, writeSession } from './write-session.ts'

/** The session to fork, and the name of the new one. */
export interface Fork {
  readonly sessionId: string
  readonly messageId: string
  readonly newId: string
  readonly title: string | undefined
}

/** Writes a session that begins as another one did, up to and with a message. */
export async function forkSession(
  storage: SessionStorage,
  { sessionId, messageId, newId, title }: Fork,
  environment: Environment,
): Promise<void> {
  const source = await entryOf(storage, sessionId)
  const { events, state } = await readUpTo(storage, { sessionId, messageId, newId }, source.events)
  // The copy is closed, because otherwise both sessions could run the same waiting call.
  const { added, state: closed } = closeLog(state, environment, { keepsQueues: false })
  const named = new Set(events.flatMap(artifactsOf))
  await removeIncomplete(storage)
  await writeSession(storage, newId, async ({ append, writeBytes, describe }) => {
    const shown = { title: title ?? source.title, topic: source.topic }
    await describe({ ...defined(shown), status: incomplete })
    // The events first: bytes without events would be in no list, and would never be removed.
    await append([...events, ...added])
    for (const key of source.keys) {
      if (isDerived(key) || (key.startsWith('artifact') && !named.has(key))) continue
      const data = await storage.readBytes(sessionId, key).catch(unlessDamaged)
      if (data) await writeBytes(key, data)
    }
    // This makes the session visible.
    await describe({ status: sessionStatusOf(statusOf(closed)) })
  })
}

/** One file that is damaged keeps nothing else from the copy. */
function unlessDamaged(error: unknown): undefined {
  if (!isKind(error, 'damaged')) throw error
}

interface ReadLog {
  readonly events: readonly DurableEvent[]
  readonly state: State
}

/** The events up to and with a message, and with the results of the calls that are open there, if its run has them. */
async function readUpTo(
  storage: SessionStorage,
  { sessionId, messageId, newId }: Omit<Fork, 'title'>,
  end: number,
): Promise<ReadLog> {
  const events: DurableEvent[] = []
  let state = emptyState(newId)
  let found: ReadLog | null = null
  for await (const event of readInParts(storage, sessionId, end)) {
    const next = event && foldStored(state, event)
    const isDamaged = !next || next instanceof StorageError
    if (found && (isDamaged || isEdgeOfRun(event))) return found
    if (isDamaged) throw damagedAt(state.nextSeq)
    events.push({ ...event, sessionId: newId })
    state = next
    if (!found && isEndOf(event, messageId)) found = { events: [...events], state }
    if (found && !state.batch) return { events, state }
  }
  if (found) return found
  throw new SessionError(
    'unknown_message',
    `The session "${sessionId}" has no message "${messageId}". Take the id of one that getState().messages shows and that has ended.`,
  )
}

function isEndOf(event: DurableEvent, messageId: string): boolean {
  const isOfSession = event.agentId === undefined
  return isOfSession && event.type === 'message_end' && event.message.id === messageId
}

/** Another run may be about what was said after the message, which is not to come along. */
function isEdgeOfRun({ type, agentId }: DurableEvent): boolean {
  return agentId === undefined && (type === 'agent_end' || type === 'agent_start')
}

function damagedAt(seq: number): SessionError {
  return new SessionError(
    'damaged',
    `The session is damaged at event ${seq}. Fork it at a message before that, or export it.`,
  )
}
