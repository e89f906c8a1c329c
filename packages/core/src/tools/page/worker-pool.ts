import type { Clock } from '../../internal/clock.ts'
import { createIdleWorkers, isHidden } from './idle-workers.ts'
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
  /** A call has begun. The next worker is started soon after, or when the call is over: its start takes time from both. */
  readonly refill: () => void
  /** Ends all that wait. */
  readonly release: () => void
}

/** So long after its begin a call has its worker and the page to itself. Between two calls a model takes longer. */
const refillAfterMs = 50

const maxIdle: Readonly<Record<WorkerKeeping, number>> = { fresh: 0, spare: 1, reuse: 4 }

export function isKeeping(value: string): value is WorkerKeeping {
  return Object.keys(maxIdle).includes(value)
}

export function createWorkerPool({ keep, boot, clock }: WorkerPoolOptions): WorkerPool {
  const idle = createIdleWorkers(clock, release)
  // Those that were taken before a release are of no use for what comes after it.
  let current = new WeakSet<BootedWorker>()
  let cancelRefill: (() => void) | undefined

  function bootOne(): BootedWorker {
    const worker = boot()
    current.add(worker)
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
    current = new WeakSet()
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
      if (keep === 'reuse' && usable && current.has(worker) && hasRoom()) idle.add(worker)
      else worker.close()
      // One that was cut off may be so because all is over.
      if (usable && cancelRefill) refillNow()
    },
    refill: () => {
      if (keep === 'spare') cancelRefill ??= clock.setTimer(refillAfterMs, refillNow)
    },
    release,
  }
}
