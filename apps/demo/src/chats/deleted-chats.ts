import type { SessionStorage } from '@offthread/core'
import { sessionsIn } from '@offthread/core/sessions'
import { createStore } from 'zustand/vanilla'
import { storedText, storeText } from '../stored-text.ts'
import { textsIn } from '../text/parse-json.ts'

const key = 'offthread-deleted-chats'

/**
 * The chats that a person deleted and that can still be had back: their data goes when the list is closed. This browser
 * remembers them, so that the next page deletes what one that was closed could not.
 */
export function createDeletedChats() {
  const { setState, ...store } = createStore<ReadonlySet<string>>(
    () => new Set(textsIn(storedText(key))),
  )

  function change(change: (ids: Set<string>) => void): void {
    const ids = new Set(store.getState())
    change(ids)
    setState(ids, true)
    storeText(key, JSON.stringify([...ids]))
  }

  /** Deletes their data. A chat whose data cannot be deleted is in the list again. */
  async function finish(storage: SessionStorage): Promise<void> {
    const chats = sessionsIn(storage)
    const remove = async (sessionId: string): Promise<void> => {
      await chats.delete(sessionId).catch((error: unknown) => console.warn(error))
      restore(sessionId)
    }
    await Promise.all([...store.getState()].map(remove))
    letGo?.()
    letGo = null
  }

  let letGo: (() => void) | null = null

  /** As long as this page may undo a deletion, no other page deletes the data. */
  function hold(): void {
    if (letGo) return
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    void globalThis.navigator?.locks?.request(key, () => held)
  }

  const restore = (sessionId: string): void => change((ids) => ids.delete(sessionId))
  return {
    ...store,
    add: (sessionId: string): void => {
      hold()
      change((ids) => ids.add(sessionId))
    },
    restore,
    finish,
    /** Deletes what a page that is closed has left, unless another one may still undo it. */
    finishLeft: async (storage: SessionStorage): Promise<void> => {
      const { locks } = globalThis.navigator ?? {}
      if (!locks || store.getState().size === 0) return finish(storage)
      await locks.request(key, { ifAvailable: true }, async (lock) => {
        if (lock) await finish(storage)
        else setState(new Set<string>(), true)
      })
    },
  }
}

export const deletedChats = createDeletedChats()
