import { inLocalStorage } from './local-storage.ts'

/**
 * Notes of pages that went away while they opened a session, and did not break: a person may reload a page at any time.
 * They are in `localStorage`, where a page that goes away can write at once.
 */
export interface Leavings {
  /** From now on a note is written when this page goes away. Returns a function that ends that. */
  readonly watch: (sessionId: string) => () => void
  /** Whether the last page that opened the session went away without breaking. */
  readonly has: (sessionId: string) => boolean
  readonly forget: (sessionId: string) => void
}

/** `scope`: the prefix for names of this database, from `scopeOf`. */
export function createLeavings(scope: string): Leavings {
  const keyOf = (sessionId: string) => `offthread-left:${scope}:${sessionId}`
  return {
    watch: (sessionId) => {
      if (typeof addEventListener === 'undefined') return () => {}
      const note = () =>
        void inLocalStorage((storage) => storage.setItem(keyOf(sessionId), 'while it opened'))
      addEventListener('pagehide', note)
      return () => removeEventListener('pagehide', note)
    },
    has: (sessionId) => inLocalStorage((storage) => storage.getItem(keyOf(sessionId))) !== null,
    forget: (sessionId) => void inLocalStorage((storage) => storage.removeItem(keyOf(sessionId))),
  }
}
