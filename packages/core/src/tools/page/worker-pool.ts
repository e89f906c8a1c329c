import type { Clock } from '../../internal/clock.ts'
import { isHidden } from './soon.ts'
import type { BootedWorker } from './worker-boot.ts'

/**
 * Which workers wait for calls. `fresh`: none, each call starts its own. `spare`: one that was never used.
 * `reuse`: those whose call has ended by itself.
 */
export type WorkerKeeping = 'fresh' | 'spare' | 'reuse'

export interface WorkerPoolOptions {
  readonly keep: WorkerKeeping
  readonly boot: () => BootedWorker
  readonly clock: Clock
}

/** The workers of a host that have no call. */
export interface WorkerPool {
  /** Returns a waiting worker, or starts a new one. */
  readonly take: () => BootedWorker
  /** Keeps the worker for another call, or ends it. */
  readonly giveBack: (worker: BootedWorker, options: { readonly usable: boolean }) => void
  /**
   * To be called when the code of a call runs: boots the next spare soon after, or as soon as the call is over.
   * Earlier, its start would take time from both the call and the page.
   */
  readonly refill: () => void
  /** Ends all workers that wait. */
  readonly release: () => void
}

/**
 * Milliseconds before the next spare is booted, so that it does not compete with the call that just started.
 * A model needs longer to ask for the next one.
 */
const refillAfterMs = 50

/** A worker whose calls have put it further ahead of the page, in milliseconds, is not kept: the next call would pay for it. */
const maxAheadMs = 1000

const maxIdle: Readonly<Record<WorkerKeeping, number>> = { fresh: 0, spare: 1, reuse: 4 }

export function createWorkerPool({ keep, boot, clock }: WorkerPoolOptions): WorkerPool {
  const idle = createIdleWorkers(clock, release)
  // A worker that was taken before a release does not wait for another call after it.
  let releases = 0
  const takenAfter = new WeakMap<BootedWorker, number>()
  let cancelRefill: (() => void) | undefined

  function bootOne(): BootedWorker {
    const worker = boot()
    takenAfter.set(worker, releases)
    return worker
  }

  function clearRefill(): void {
    cancelRefill?.()
    cancelRefill = undefined
  }

  function refillNow(): void {
    clearRefill()
    if (hasRoom()) idle.add(bootOne())
  }

  function release(): void {
    releases += 1
    clearRefill()
    idle.endAll()
  }

  function hasRoom(): boolean {
    return idle.size() < maxIdle[keep] && !isHidden()
  }

  return {
    take: () => idle.take() ?? bootOne(),
    giveBack: (worker, { usable }) => {
      worker.use(null)
      // A worker that is not in the map was not started by this pool.
      const isCurrent = (takenAfter.get(worker) ?? 0) === releases
      const isRested = worker.aheadMs() <= maxAheadMs
      if (keep === 'reuse' && usable && isRested && isCurrent && hasRoom()) idle.add(worker)
      else worker.close()
      // A worker that was cut off may mean that the whole agent ends: then no spare is booted early.
      if (usable && cancelRefill) refillNow()
    },
    refill: () => {
      if (keep === 'spare') cancelRefill ??= clock.setTimer(refillAfterMs, refillNow)
    },
    release,
  }
}

/** Workers that wait for a call. Each is ended when it fails, or when it has waited too long. */
interface IdleWorkers {
  readonly size: () => number
  readonly add: (worker: BootedWorker) => void
  /** The one that waits longest, if there is one. */
  readonly take: () => BootedWorker | undefined
  readonly endAll: () => void
}

/** Milliseconds after which a waiting worker is ended: it costs 2 to 9 MB. */
const idleMs = 30_000

/** `onHidden` is called when the page is hidden while workers wait. */
function createIdleWorkers(clock: Clock, onHidden: () => void): IdleWorkers {
  const idle = new Map<BootedWorker, () => void>()
  const page = typeof document === 'undefined' ? undefined : document
  const onVisibilityChange = (): void => {
    if (isHidden()) onHidden()
  }

  function leave(worker: BootedWorker): void {
    idle.get(worker)?.()
    idle.delete(worker)
    worker.use(null)
    if (idle.size === 0) page?.removeEventListener('visibilitychange', onVisibilityChange)
  }

  function end(worker: BootedWorker): void {
    leave(worker)
    worker.close()
  }

  return {
    size: () => idle.size,
    add: (worker) => {
      if (idle.size === 0) page?.addEventListener('visibilitychange', onVisibilityChange)
      idle.set(
        worker,
        clock.setTimer(idleMs, () => end(worker)),
      )
      worker.use({ executionId: () => undefined, message: () => {}, failed: () => end(worker) })
    },
    take: () => {
      const [waiting] = idle.keys()
      if (waiting) leave(waiting)
      return waiting
    },
    endAll: () => {
      for (const worker of idle.keys()) end(worker)
    },
  }
}
