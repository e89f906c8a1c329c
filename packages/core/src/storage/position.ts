import type { DurableEvent } from '../kernel/events.ts'
import { type Position, StorageError } from './port.ts'

/** Throws if a session has another head or epoch than its writer believes. */
export function checkPosition(actual: Position, expected: Position): void {
  checkEpoch(actual.epoch, expected.epoch)
  if (actual.head !== expected.head) throw conflictAt(actual.head, expected.head)
}

/** The error for a session that does not have as many events as expected. */
export function conflictAt(actual: number, expected: number): StorageError {
  return new StorageError(
    'conflict',
    `The session has ${actual} events, not ${expected}: another tab or agent has written to it.`,
  )
}

/** Throws if a later claim was made than that of the writer, or if the session of its claim was deleted. */
export function checkEpoch(actual: number, expected: number): void {
  if (actual === expected) return
  throw actual === 0 ? deletedSession() : replacedOwner()
}

/** The error for a writer after whose claim a later one was made. */
export function replacedOwner(): StorageError {
  return new StorageError(
    'not_owner',
    'The session is written by another tab or agent now. Take it over, or open it again to follow it.',
  )
}

/** The error for agents whose open session was deleted. */
export function deletedSession(): StorageError {
  return new StorageError(
    'cleared',
    'The session was deleted while it was open. What is shown of it is all that is left: copy what you need of it, then begin a new session.',
  )
}

/** Throws if there is no event to replace. */
export function checkReplaced({ head }: Position, replaced: readonly DurableEvent[]): void {
  const beyond = replaced.find(({ seq }) => seq >= head)
  if (!beyond) return
  throw new StorageError('conflict', `The session has no event ${beyond.seq} to be replaced.`)
}
