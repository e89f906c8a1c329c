import type { Clock } from '../internal/clock.ts'
import { withTimeout } from '../internal/with-timeout.ts'
import type { DurableEvent } from '../kernel/events.ts'
import { checkLog } from '../runtime/check-log.ts'
import type { Journal } from '../runtime/journal.ts'
import { createJournal, loadFailure, patienceMs, storageFailure } from '../runtime/journal.ts'
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
  const opened = read(opening, storage).then((stored) => {
    goOn(stored, journalOf(opening, storage, stored.length))
    isOpen = true
  })
  // Reported as what the agent shows; whoever waits for `ready` is told, too.
  opened.catch((thrown: unknown) => fail({ error: loadFailure(thrown), thrown }))
  return { opened, isOpen: () => isOpen }
}

async function read(
  { clock, sessionId }: Opening,
  storage: SessionStorage,
): Promise<readonly DurableEvent[]> {
  const late = () => new StorageError('unknown', 'it did not answer in time')
  const stored = await withTimeout(storage.load(sessionId), patienceMs, { clock, late })
  checkLog(stored)
  return stored
}

function journalOf({ clock, sessionId, fail }: Opening, storage: SessionStorage, head: number) {
  const onFailure = (thrown: unknown): void => fail({ error: storageFailure(thrown), thrown })
  return createJournal({ storage, sessionId, clock, head, onFailure })
}
