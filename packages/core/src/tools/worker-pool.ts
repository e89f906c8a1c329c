import type { Clock } from '../internal/clock.ts'
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
  /** One that waits, or a new one. */
  readonly take: () => BootedWorker
  /** Keeps it for another call, or ends it. */
  readonly giveBack: (worker: BootedWorker, options: { readonly usable: boolean }) => void
  /** A call has begun: its worker no longer needs the page, so the next may be started. */
  readonly refill: () => void
  /** Ends all that wait. */
  readonly release: () => void
}

/** A worker that nobody wanted for so many milliseconds is ended: it costs 2 to 9 MB. */
const idleMs = 30_000

const maxIdle: Readonly<Record<WorkerKeeping, number>> = { fresh: 0, spare: 1, reuse: 4 }

export function isKeeping(value: string): value is WorkerKeeping {
  return Object.keys(maxIdle).includes(value)
}

export function createWorkerPool({ keep, boot, clock }: WorkerPoolOptions): WorkerPool {
  const idle = new Map<BootedWorker, () => void>()
  // Those that were taken before a release are of no use for what comes after it.
  let current = new WeakSet<BootedWorker>()

  function wait(worker: BootedWorker): void {
    if (idle.size === 0) onHidden?.addEventListener('visibilitychange', hear)
    idle.set(
      worker,
      clock.setTimer(idleMs, () => end(worker)),
    )
    worker.use({ executionId: () => undefined, message: () => {}, failed: () => end(worker) })
  }

  function leave(worker: BootedWorker): void {
    idle.get(worker)?.()
    idle.delete(worker)
    worker.use(null)
    if (idle.size === 0) onHidden?.removeEventListener('visibilitychange', hear)
  }

  function end(worker: BootedWorker): void {
    leave(worker)
    worker.close()
  }

  function release(): void {
    current = new WeakSet()
    for (const worker of idle.keys()) end(worker)
  }

  function bootOne(): BootedWorker {
    const worker = boot()
    current.add(worker)
    return worker
  }

  const onHidden = typeof document === 'undefined' ? undefined : document
  const hear = (): void => {
    if (isHidden()) release()
  }

  return {
    take: () => {
      const [waiting] = idle.keys()
      if (!waiting) return bootOne()
      leave(waiting)
      return waiting
    },
    giveBack: (worker, { usable }) => {
      worker.use(null)
      const isCurrent = usable && current.has(worker) && !isHidden()
      if (isCurrent && keep === 'reuse' && idle.size < maxIdle.reuse) wait(worker)
      else worker.close()
    },
    refill: () => {
      if (keep === 'spare' && idle.size < maxIdle.spare && !isHidden()) wait(bootOne())
    },
    release,
  }
}

/** Nobody looks, and nobody asks. */
function isHidden(): boolean {
  return typeof document !== 'undefined' && document.hidden
}
