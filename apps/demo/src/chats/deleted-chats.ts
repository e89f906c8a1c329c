import type { SessionStorage } from '@offthread/core'
import { sessionsIn } from '@offthread/core/sessions'
import { createStore } from 'zustand/vanilla'

const key = 'offthread-deleted-chats'

/**
 * The chats that a person deleted and that can still be had back: their data goes when the list is closed. This browser
 * remembers them, so that the next page deletes what one that was closed could not.
 */
export function createDeletedChats() {
  const { setState, ...store } = createStore<ReadonlySet<string>>(() => new Set(kept()))

  function change(change: (ids: Set<string>) => void): void {
    const ids = new Set(store.getState())
    change(ids)
    setState(ids, true)
    try {
      localStorage.setItem(key, JSON.stringify([...ids]))
    } catch {
      // A page that is closed before its list then leaves the chat where it is.
    }
  }

  const restore = (sessionId: string): void => change((ids) => ids.delete(sessionId))
  return {
    ...store,
    add: (sessionId: string): void => change((ids) => ids.add(sessionId)),
    restore,
    /** Deletes their data. A chat whose data cannot be deleted is in the list again. */
    finish: async (storage: SessionStorage): Promise<void> => {
      const chats = sessionsIn(storage)
      const remove = async (sessionId: string): Promise<void> => {
        await chats.delete(sessionId).catch((error: unknown) => console.warn(error))
        restore(sessionId)
      }
      await Promise.all([...store.getState()].map(remove))
    },
  }
}

export const deletedChats = createDeletedChats()

function kept(): readonly string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}
