import type { Clock } from '../internal/clock.ts'
import { withoutFullStop } from '../internal/full-stop.ts'
import { messageOf } from '../internal/message-of.ts'
import { withTimeout } from '../internal/with-timeout.ts'
import type { DurableEvent } from '../kernel/events.ts'
import type { RunError } from '../kernel/run-error.ts'
import type { SessionStorage } from '../storage/port.ts'
import { StorageError } from '../storage/port.ts'

/** Writes durable events to a storage: in order, one append at a time. */
export interface Journal {
  /** Adds an event to the next append. */
  readonly add: (event: DurableEvent) => void
  /** Stores the added events as one append. */
  readonly flush: () => void
  /** Resolves when everything added so far is stored; never after a failure. */
  readonly stored: () => Promise<void>
  /** Resolves when all events are stored, or after a failure. */
  readonly drained: () => Promise<void>
}

export interface JournalOptions {
  readonly storage: SessionStorage
  readonly sessionId: string
  readonly clock: Clock
  /** How many events the storage holds already. */
  readonly head: number
  /** Called once. After it nothing is stored any more, because later events would leave a gap. */
  readonly onFailure: (thrown: unknown) => void
}

/** Milliseconds without an answer after which a storage counts as failed. */
export const patienceMs = 10_000

export function createJournal(options: JournalOptions): Journal {
  const { storage, sessionId, clock, head, onFailure } = options
  const waiting: { readonly head: number; readonly resolve: () => void }[] = []
  let next: DurableEvent[] = []
  let added = head
  let stored = head
  let isBusy = false
  let draining: Promise<void> = Promise.resolve()

  async function store(): Promise<void> {
    isBusy = true
    try {
      while (next.length > 0) {
        const batch = next
        next = []
        await append(batch)
        stored += batch.length
        while (waiting[0] && waiting[0].head <= stored) waiting.shift()?.resolve()
      }
      isBusy = false
    } catch (error) {
      // `isBusy` stays true, so that nothing is stored after the gap.
      onFailure(error)
    }
  }

  async function append(batch: readonly DurableEvent[]): Promise<void> {
    try {
      await answered(storage.append(sessionId, stored, batch))
    } catch (error) {
      // The append may have been stored all the same: the storage's content decides.
      const held = await answered(storage.load(sessionId))
      if (isHeld(held, batch)) return
      if (held.length !== stored) throw error
      await answered(storage.append(sessionId, stored, batch))
    }
  }

  function answered<Value>(answer: Promise<Value>): Promise<Value> {
    const late = () => new StorageError('unknown', silent)
    return withTimeout(answer, patienceMs, { clock, late })
  }

  function isHeld(held: readonly DurableEvent[], batch: readonly DurableEvent[]): boolean {
    return (
      held.length === stored + batch.length &&
      JSON.stringify(held.slice(stored)) === JSON.stringify(batch)
    )
  }

  return {
    add: (event) => {
      next.push(event)
      added += 1
    },
    flush: () => {
      if (!isBusy && next.length > 0) draining = store()
    },
    stored: () =>
      stored === added
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ head: added, resolve })),
    drained: () => draining,
  }
}

const silent = 'it did not answer in time'

/** What a run reports about a storage that failed. */
export function storageFailure(error: unknown): RunError {
  const message =
    error instanceof StorageError && error.kind === 'conflict'
      ? 'The session was changed somewhere else, perhaps in another tab. Reload to go on with it.'
      : `The session could not be stored (${withoutFullStop(messageOf(error))}). What came last is not saved.`
  return { kind: 'storage', message, retryable: false }
}

/** What a run reports about a session that could not be read. */
export function loadFailure(error: unknown): RunError {
  const message = `The session could not be read (${withoutFullStop(messageOf(error))}). Nothing of it was changed. Reload to try again.`
  return { kind: 'storage', message, retryable: false }
}
