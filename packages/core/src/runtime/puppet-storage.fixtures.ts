import type { DurableEvent } from '../kernel/events.ts'
import { memoryStorage } from '../storage/memory.ts'
import { type SessionStorage, StorageError } from '../storage/port.ts'

/**
 * The outcome of an append: it is stored; it is lost; it is stored, but not confirmed; it waits for a promise and is
 * stored then.
 */
export type AppendOutcome = 'stored' | 'lost' | 'unacknowledged' | Promise<void>

export interface PuppetStorage extends SessionStorage {
  /** Every append that was attempted, also those that failed. */
  readonly appends: readonly (readonly DurableEvent[])[]
  /** What is stored of the session, as a copy. */
  readonly log: () => Promise<readonly DurableEvent[]>
}

/** A storage in memory whose appends end as the test says. */
export function createPuppetStorage(
  outcomeOf: (batch: readonly DurableEvent[], number: number) => AppendOutcome = () => 'stored',
  sessionId = 'session_1',
): PuppetStorage {
  const memory = memoryStorage()
  const appends: (readonly DurableEvent[])[] = []
  const read: SessionStorage['read'] = async (...asked) =>
    structuredClone(await memory.read(...asked))
  return {
    ...memory,
    appends,
    log: () => read(sessionId),
    read,
    append: async (id, position, events) => {
      appends.push(events)
      const outcome = outcomeOf(events, appends.length)
      if (outcome === 'lost') throw new StorageError('unknown', 'The disk is gone.')
      if (outcome !== 'stored' && outcome !== 'unacknowledged') await outcome
      await memory.append(id, position, events)
      if (outcome === 'unacknowledged') throw new StorageError('unknown', 'No answer came.')
    },
  }
}

/** A storage that already holds a log. */
export async function storageWith(
  log: readonly DurableEvent[],
  sessionId = 'session_1',
): Promise<PuppetStorage> {
  const storage = createPuppetStorage(() => 'stored', sessionId)
  if (log.length > 0) await storage.append(sessionId, { head: 0, epoch: 0 }, log)
  return storage
}
