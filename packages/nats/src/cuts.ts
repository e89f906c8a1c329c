import type { NatsConnection } from './connection.ts'

/** Whether the connection is cut, and when it comes back. */
export interface Cuts {
  readonly isCut: () => boolean
  /** Calls back each time that the connection was cut, and each time that it is back. */
  readonly watch: (watcher: CutWatcher) => () => void
  readonly follow: (connection: Pick<NatsConnection, 'status'>) => Promise<void>
}

interface CutWatcher {
  readonly onCut?: () => void
  readonly onReturn?: () => void
}

export function createCuts(): Cuts {
  const watchers = new Set<CutWatcher>()
  let isCut = false
  return {
    isCut: () => isCut,
    watch: (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    follow: async (connection) => {
      for await (const { type } of connection.status()) {
        if (type === 'disconnect') isCut = true
        else if (type === 'reconnect') isCut = false
        else continue
        for (const { onCut, onReturn } of [...watchers]) (isCut ? onCut : onReturn)?.()
      }
    },
  }
}
