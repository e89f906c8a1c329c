import type { DurableEvent } from '../kernel/events.ts'
import type { SessionStorage } from './port.ts'
import { StorageError } from './port.ts'

/**
 * Keeps sessions for as long as the page lives: for tests, and for a second agent on the same session.
 *
 * @example
 * ```ts
 * const storage = memoryStorage()
 * const agent = createAgent({ model, storage, sessionId: 'notes' })
 * ```
 */
export function memoryStorage(): SessionStorage {
  const sessions = new Map<string, DurableEvent[]>()
  return {
    load: async (sessionId) => [...(sessions.get(sessionId) ?? [])],
    append: async (sessionId, expectedHead, events) => {
      const session = sessions.get(sessionId) ?? []
      if (session.length !== expectedHead) {
        throw new StorageError(
          'conflict',
          `The session has ${session.length} events, not ${expectedHead}: another tab or agent has written to it.`,
        )
      }
      for (const event of events) session.push(event)
      sessions.set(sessionId, session)
    },
  }
}
