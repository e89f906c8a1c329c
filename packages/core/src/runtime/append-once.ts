import type { DurableEvent } from '../kernel/events.ts'
import { type AppendPosition, isKind, type SessionStorage } from '../storage/port.ts'

export interface OnceOptions {
  readonly storage: SessionStorage
  readonly sessionId: string
  readonly position: AppendPosition
}

/**
 * Appends a batch. A failure may hide that the batch was stored, whole or in part: after one, the storage's content
 * decides what is missing, and that is appended once more.
 */
export async function appendOnce(
  { storage, sessionId, position }: OnceOptions,
  batch: readonly DurableEvent[],
): Promise<void> {
  let { head } = position
  let rest = batch
  for (let isLastTry = false; ; isLastTry = true) {
    try {
      return await storage.append(sessionId, { ...position, head }, rest)
    } catch (error) {
      if (isKind(error, 'not_owner')) throw error
      // Events that were handed over later may stand behind the batch in the storage.
      const held = (await storage.read(sessionId, head)).slice(0, rest.length)
      if (JSON.stringify(held) !== JSON.stringify(rest.slice(0, held.length))) throw error
      head += held.length
      rest = rest.slice(held.length)
      if (rest.length === 0) return
      if (isLastTry) throw error
    }
  }
}
