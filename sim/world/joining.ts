import type { Json } from '../../packages/core/src/internal/json.ts'
import { deletedSession } from '../../packages/core/src/storage/position.ts'
import type { Disk } from './disk.ts'
import type { Visitor } from './origin.ts'

interface Joining {
  readonly disk: Disk
  readonly visitor: Visitor
}

/** Aborted when the page learns that the session which is there now was deleted. */
export function watchDeletion({ disk, visitor }: Joining) {
  const ending = new AbortController()
  const stop = disk.watchDeletions(() => visitor.deliver(() => ending.abort(deletedSession())))
  return { signal: ending.signal, stop }
}

/** A place at the session, which ends when that is deleted. */
export function join(joining: Joining, listener: (message: Json) => void) {
  const { post, close } = joining.visitor.connect(listener)
  const { signal, stop } = watchDeletion(joining)
  return {
    ...{ post, ended: signal },
    close: () => {
      stop()
      close()
    },
  }
}
