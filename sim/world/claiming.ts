import { type Claim, type ClaimMode, StorageError } from '../../packages/core/src/storage/port.ts'
import type { Disk } from './disk.ts'
import type { Files } from './files.ts'
import { watchDeletion } from './joining.ts'
import type { Visitor } from './origin.ts'
import { registeringIn } from './page-hide.ts'
import type { Scope, Wait } from './timeline.ts'

interface ClaimingOptions {
  readonly disk: Disk
  readonly visitor: Visitor
  readonly scope: Scope
  readonly latencyMs: number
  readonly files: Pick<Files, 'keep'>
  readonly isFullClaim: () => boolean
}

/** How the page becomes the owner: by a lock, then a number. */
export function createClaiming(options: ClaimingOptions, wait: Wait) {
  const { disk, visitor, scope, latencyMs, files } = options
  let own = -1
  let lost: AbortSignal | null = null

  function claimed(
    taken: AbortSignal,
    deletion: ReturnType<typeof watchDeletion>,
    release: () => void,
  ): Claim {
    const unconfirmed = disk.claim()
    const epoch = disk.epoch()
    own = epoch
    const notified = new AbortController()
    lost = notified.signal
    if (taken.aborted) visitor.deliver(() => notified.abort())
    else taken.addEventListener('abort', () => visitor.deliver(() => notified.abort()))
    const { signal: deleted } = deletion
    if (deleted.aborted) notified.abort(deleted.reason)
    else deleted.addEventListener('abort', () => notified.abort(deleted.reason))
    return {
      epoch,
      unconfirmed,
      confirm: async () => disk.confirm(epoch),
      keepBytes: (key, data) => files.keep(epoch, key, data),
      // The owner reads this in the same turn in which it asks to be called when its page goes.
      get lost() {
        registeringIn(scope)
        return notified.signal
      },
      release: () => {
        deletion.stop()
        release()
      },
    }
  }

  return {
    // A page that was notified of its loss is none, also before the next one has its claim.
    isOwner: () => own === disk.epoch() && lost?.aborted !== true,
    claim: async (mode: ClaimMode, signal?: AbortSignal): Promise<Claim | null> => {
      const deletion = watchDeletion(options)
      const ended = signal ? AbortSignal.any([signal, deletion.signal]) : deletion.signal
      const lock = await visitor.locks.acquire('session', mode, ended)
      if (!lock) {
        deletion.stop()
        return null
      }
      await wait(latencyMs)
      if (options.isFullClaim()) {
        deletion.stop()
        lock.release()
        throw new StorageError('full', 'There is no space.')
      }
      return claimed(lock.lost, deletion, lock.release)
    },
  }
}
