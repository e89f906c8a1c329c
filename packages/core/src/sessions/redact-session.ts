import { loadSession } from '../agent/session/load-session.ts'
import { canRedact, redactStored } from '../agent/session/redact-stored.ts'
import { type RedactionProblem, redactionOf } from '../kernel/redaction-target.ts'
import type { SessionStorage } from '../storage/port.ts'
import { entryOf } from './list-sessions.ts'
import { SessionError } from './session-error.ts'

/** The message to remove, its session, and the time. */
interface Asked {
  readonly sessionId: string
  readonly messageId: string
  readonly ts: number
}

/** Removes the content of a message from a session that no agent has open: all of it or nothing. */
export async function redactSession(storage: SessionStorage, asked: Asked): Promise<void> {
  const { sessionId, messageId, ts } = asked
  await entryOf(storage, sessionId)
  if (!canRedact(storage)) throw notSupported()
  const claim = await storage.claim(sessionId, 'if-free')
  if (!claim) throw isOpen(sessionId)
  try {
    const { state, problem } = await loadSession(storage, sessionId)
    if (problem) throw new SessionError('damaged', problem.message)
    const target = redactionOf(state, messageId)
    if (typeof target !== 'object') throw refusal(target, asked)
    if (target.isRedacted) return
    await redactStored(storage, { target, state, epoch: claim.epoch, origin: { ts } })
  } finally {
    // The claim is confirmed, because this was no opening that broke the page.
    await claim.confirm().catch(() => {})
    claim.release()
  }
}

function refusal(problem: RedactionProblem, { sessionId, messageId }: Asked): SessionError {
  if (problem === 'unknown') {
    return new SessionError(
      'unknown_message',
      `The session "${sessionId}" has no message "${messageId}". Take the id of one that getState().messages shows.`,
    )
  }
  return new SessionError(
    'unfinished',
    problem === 'run'
      ? 'A run of the session was cut off. Open it with an agent, which ends the run, and use redact() of that.'
      : 'A call of the message has no answer yet. Open the session with an agent, answer the call or give it up, and use redact() of that.',
  )
}

function isOpen(sessionId: string): SessionError {
  return new SessionError(
    'open',
    `The session "${sessionId}" is open, in this tab or in another one. Use redact() of an agent that has it open, or close it first.`,
  )
}

function notSupported(): SessionError {
  return new SessionError(
    'not_supported',
    'The storage cannot remove content: it has no redact(). Delete the session, or use a storage that has it.',
  )
}
