import type { Clock } from '../internal/clock.ts'
import { withoutFullStop } from '../internal/full-stop.ts'
import { loadPart } from '../internal/load-part.ts'
import { messageOf } from '../internal/message-of.ts'
import { withTimeout } from '../internal/with-timeout.ts'
import type { DurableEvent } from '../kernel/events.ts'
import { fold } from '../kernel/fold.ts'
import type { RunError } from '../kernel/run-error.ts'
import { emptyState } from '../kernel/state.ts'
import type { Journal } from '../runtime/journal.ts'
import type { SessionStorage } from '../storage/port.ts'
import { StorageError } from '../storage/port.ts'
import type { StorageFailure } from './failure.ts'

/** What a log is opened with. */
export interface Opening {
  readonly clock: Clock
  readonly storage: SessionStorage | undefined
  readonly sessionId: string
  readonly fail: (failure: StorageFailure) => void
}

type Stored = Opening & { readonly storage: SessionStorage }

/** That the log is open, or will be. */
export interface OpenedLog {
  /** Rejects when the log cannot be read. */
  readonly opened: Promise<void>
  readonly isOpen: () => boolean
}

/** Reads the log of a session and goes on with it. Without a storage there is nothing to wait for. */
export function openLog(
  opening: Opening,
  goOn: (stored: readonly DurableEvent[], journal: Journal | null) => void,
): OpenedLog {
  const { storage, fail } = opening
  if (!storage) {
    goOn([], null)
    return { opened: Promise.resolve(), isOpen: () => true }
  }
  let isOpen = false
  const opened = read({ ...opening, storage }).then(({ stored, journal }) => {
    goOn(stored, journal)
    isOpen = true
  })
  // Reported as what the agent shows; `ready` rejects, too.
  opened.catch((thrown: unknown) => fail({ error: loadFailure(thrown), thrown }))
  return { opened, isOpen: () => isOpen }
}

// A page without a storage never loads the journal.
async function read({ clock, sessionId, fail, storage: slow }: Stored) {
  const storage = inTime(slow, clock)
  const [stored, { createJournal, problemOfLog }] = await Promise.all([
    storage.load(sessionId),
    loadPart(() => import('../runtime/journal.ts')),
  ])
  const problem = problemOfLog(stored, { state: emptyState(sessionId), fold })
  if (problem !== null) throw new StorageError('unknown', problem)
  const onFailure = (thrown: unknown): void => fail({ error: storageFailure(thrown), thrown })
  return { stored, journal: createJournal({ storage, sessionId, head: stored.length, onFailure }) }
}

/** Milliseconds without an answer after which a storage counts as failed. */
export const patienceMs = 10_000

/** The storage, with an answer that does not come in time as a failure. */
export function inTime(storage: SessionStorage, clock: Clock): SessionStorage {
  const late = () => new StorageError('unknown', 'it did not answer in time')
  const answered = <Value>(answer: Promise<Value>) =>
    withTimeout(answer, patienceMs, { clock, late })
  return {
    load: (...asked) => answered(storage.load(...asked)),
    append: (...asked) => answered(storage.append(...asked)),
  }
}

/** What a run reports about a storage that failed. */
export function storageFailure(error: unknown): RunError {
  return failureOf(
    error instanceof StorageError && error.kind === 'conflict'
      ? 'The session was changed somewhere else, perhaps in another tab. Reload to go on with it.'
      : `The session could not be stored (${withoutFullStop(messageOf(error))}). What came last is not saved.`,
  )
}

function loadFailure(error: unknown): RunError {
  return failureOf(
    `The session could not be read (${withoutFullStop(messageOf(error))}). Nothing of it was changed. Reload to try again.`,
  )
}

function failureOf(message: string): RunError {
  return { kind: 'storage', message, retryable: false }
}
