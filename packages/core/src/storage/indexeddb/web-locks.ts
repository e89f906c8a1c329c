import { createDeferred } from '../../internal/deferred.ts'
import { createPageLocks, type Locks } from '../locks.ts'
import { hasOthers } from './channel.ts'

/**
 * The locks of all tabs of the origin; those of this page alone where there are none, as on an insecure page, and where tabs
 * cannot post to each other: one that waits for the session of another would have no answer to anything.
 */
export function platformLocks(): Locks {
  return hasOthers() && 'navigator' in globalThis && 'locks' in navigator
    ? createWebLocks(navigator.locks)
    : createPageLocks()
}

function createWebLocks(manager: LockManager): Locks {
  return {
    acquire: (name, mode, signal) =>
      new Promise((resolve, reject) => {
        const lost = new AbortController()
        const wanted = {
          'if-free': { ifAvailable: true },
          wait: signal ? { signal } : {},
          take: { steal: true },
        }[mode]
        const request = manager.request(name, wanted, (lock) => {
          if (!lock) {
            resolve(null)
            return
          }
          const held = createDeferred<void>()
          resolve({ lost: lost.signal, release: held.resolve })
          return held.promise
        })
        // The request rejects when its wait was aborted, or when the granted lock is stolen.
        request.catch((error: unknown) => {
          lost.abort()
          reject(error)
        })
      }),
    held: async () => {
      const { held = [] } = await manager.query()
      return new Set(held.flatMap(({ name }) => name ?? []))
    },
  }
}
