import type { ClaimMode } from './port.ts'

/** One lock for each name, as Web Locks: held by one at a time, free when its holder is gone. */
export interface Locks {
  /** Resolves with `null` only for `'if-free'`. */
  readonly acquire: (name: string, mode: ClaimMode, signal?: AbortSignal) => Promise<Lock | null>
  /** The names of the locks that are held. */
  readonly held: () => Promise<ReadonlySet<string>>
}

export interface Lock {
  /** Aborted when the lock was taken away. */
  readonly lost: AbortSignal
  readonly release: () => void
}

/** Locks of this page alone. */
export function createPageLocks(): Locks {
  const queues = new Map<string, Waiting[]>()
  const holders = new Map<string, AbortController>()

  function hold(name: string): Lock {
    const holder = new AbortController()
    holders.set(name, holder)
    return {
      lost: holder.signal,
      release: () => {
        if (holders.get(name) !== holder) return
        holders.delete(name)
        queues.get(name)?.shift()?.resolve(hold(name))
      },
    }
  }

  async function wait(name: string, signal: AbortSignal | undefined): Promise<Lock> {
    signal?.throwIfAborted()
    return await new Promise<Lock>((resolve, reject) => {
      const queue = queues.get(name) ?? []
      queues.set(name, queue)
      const waiting = { resolve }
      queue.push(waiting)
      signal?.addEventListener('abort', () => {
        const place = queue.indexOf(waiting)
        if (place >= 0) queue.splice(place, 1)
        reject(signal.reason)
      })
    })
  }

  return {
    acquire: async (name, mode, signal) => {
      const holder = holders.get(name)
      if (!holder) return hold(name)
      if (mode === 'if-free') return null
      if (mode === 'wait') return wait(name, signal)
      const lock = hold(name)
      holder.abort()
      return lock
    },
    held: async () => new Set(holders.keys()),
  }
}

interface Waiting {
  readonly resolve: (lock: Lock) => void
}
