import type { SessionStorage } from '@offthread/core'
import { type SessionInfo, type Sessions, sessionsIn } from '@offthread/core/sessions'
import { useMemo, useSyncExternalStore } from 'react'

/** The list of sessions, as it is shown. */
export interface SessionsState {
  /** The last written first. Empty before the list was read. */
  readonly sessions: readonly SessionInfo[]
  /** Whether the list was not read yet. */
  readonly isLoading: boolean
  /** Why the list could not be read the last time, for instance a `StorageError`. */
  readonly error: Error | null
}

/** The list of sessions, and what a user can do with it. */
export interface SessionsView extends SessionsState, Omit<Sessions, 'list' | 'watch'> {}

/**
 * The sessions in a storage as UI state. It follows what happens to them in this tab and in others: the component renders
 * when what it shows has changed. The functions keep their identity as long as the storage is the same; make the storage
 * outside of components. While a page hydrates, the list is still loading, as on the server.
 *
 * @example
 * ```tsx
 * function Chats({ onOpen }) {
 *   const chats = useSessions(storage)
 *   return <>{chats.sessions.map(({ sessionId, title }) => <button key={sessionId} onClick={() => onOpen(sessionId)}>{title}</button>)}</>
 * }
 * ```
 */
export function useSessions(storage: SessionStorage): SessionsView {
  const { subscribe, getState, actions } = useMemo(() => createStore(storage), [storage])
  const state = useSyncExternalStore(subscribe, getState, () => loading)
  return useMemo(() => ({ ...state, ...actions }), [state, actions])
}

const loading: SessionsState = { sessions: [], isLoading: true, error: null }

/** The list of a storage, which is watched as long as it is shown. */
function createStore(storage: SessionStorage) {
  const { list: _, watch, ...actions } = sessionsIn(storage)
  let state = loading
  return {
    actions,
    getState: () => state,
    subscribe: (listener: () => void) => {
      const show = (next: Partial<SessionsState>): void => {
        state = { ...state, error: null, isLoading: false, ...next }
        listener()
      }
      return watch(
        (sessions) => show({ sessions }),
        (error) => show({ error: error instanceof Error ? error : new Error(String(error)) }),
      )
    },
  }
}
