import type { Clock } from '../internal/clock.ts'
import { joinList } from '../storage/list-channel.ts'
import type { SessionStorage } from '../storage/port.ts'
import { listSessions, type SessionInfo } from './list-sessions.ts'

/** Called with the list of sessions, the last written first. */
export type SessionsListener = (sessions: readonly SessionInfo[]) => void

/** Milliseconds for which changes are collected before the list is read again. */
const collectMs = 50

/**
 * Calls the listener with the list, and again each time that it has changed. `onError` is called when it cannot be
 * read. Returns the function that ends this.
 */
export function watchSessions(
  { storage, clock }: { readonly storage: SessionStorage; readonly clock: Clock },
  listener: SessionsListener,
  onError: (error: unknown) => void,
): () => void {
  let shown: string | null = null
  let isEnded = false
  let isReading = false
  let isStale = false
  let cancelTimer: (() => void) | null = null

  async function read(): Promise<void> {
    isReading = true
    while (isStale && !isEnded) {
      isStale = false
      try {
        const sessions = await listSessions(storage)
        const text = JSON.stringify(sessions)
        if (isEnded || text === shown) continue
        shown = text
        listener(sessions)
      } catch (error) {
        if (!isEnded) onError(error)
      }
    }
    isReading = false
  }

  function refresh(): void {
    cancelTimer = null
    isStale = true
    if (!isReading) void read()
  }

  const { close } = joinList(storage, () => {
    cancelTimer ??= clock.setTimer(collectMs, refresh)
  })
  refresh()
  return () => {
    isEnded = true
    cancelTimer?.()
    close()
  }
}
