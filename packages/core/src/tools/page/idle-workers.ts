import type { Clock } from '../../internal/clock.ts'
import type { BootedWorker } from './worker-boot.ts'

/** Workers that wait for a call. Each is ended when it fails, or when nobody wanted it for a while. */
export interface IdleWorkers {
  readonly size: () => number
  readonly add: (worker: BootedWorker) => void
  /** The one that waits longest, if there is one. */
  readonly take: () => BootedWorker | undefined
  readonly endAll: () => void
}

/** A worker that nobody wanted for so many milliseconds is ended: it costs 2 to 9 MB. */
const idleMs = 30_000

/** `onHidden` is called when the page is hidden while some wait. */
export function createIdleWorkers(clock: Clock, onHidden: () => void): IdleWorkers {
  const idle = new Map<BootedWorker, () => void>()
  const page = typeof document === 'undefined' ? undefined : document
  const hear = (): void => {
    if (isHidden()) onHidden()
  }

  function leave(worker: BootedWorker): void {
    idle.get(worker)?.()
    idle.delete(worker)
    worker.use(null)
    if (idle.size === 0) page?.removeEventListener('visibilitychange', hear)
  }

  function end(worker: BootedWorker): void {
    leave(worker)
    worker.close()
  }

  return {
    size: () => idle.size,
    add: (worker) => {
      if (idle.size === 0) page?.addEventListener('visibilitychange', hear)
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

/** Nobody looks, and nobody asks. */
export function isHidden(): boolean {
  return typeof document !== 'undefined' && document.hidden
}
