import type { WorkerLike } from '../../packages/core/src/tools/page/worker-boot.ts'
import type { StartFault } from '../plan.ts'
import { createWorker, type WorkerPorts } from './worker.ts'
import { sayReady, startScripts } from './worker-scripts.ts'

export interface WorkersOptions extends WorkerPorts {
  /** What happens to the worker that is being started. */
  readonly nextStart: () => StartFault | undefined
  readonly noteLive: (live: number) => void
}

/** A busy worker may run on for so long after it is terminated. */
const afterlifeMs = 1999

/** The workers of one page, without threads. */
export interface Workers {
  readonly spawn: () => WorkerLike
  readonly live: () => number
  /** How many have no call yet. */
  readonly starting: () => number
}

export function createWorkers(options: WorkersOptions): Workers {
  const { timeline, scope } = options
  let live = 0
  let starting = 0
  // Terminated, but still running for a while.
  let dying = 0
  const change = (by: number): void => {
    live += by
    options.noteLive(live + dying)
  }
  const linger = (): void => {
    dying += 1
    timeline.after(afterlifeMs, () => (dying -= 1), scope)
  }
  return {
    live: () => live,
    starting: () => starting,
    spawn: () => {
      const fault = options.nextStart()
      if (fault) options.noteFault(fault)
      if (fault === 'cannot_spawn') throw new Error('No more workers.')
      change(1)
      starting += 1
      return createWorker({
        ...options,
        start: fault ? startScripts[fault] : sayReady,
        notePosted: (run) => {
          starting -= 1
          options.notePosted(run)
        },
        ended: ({ hadCall, isBusy }) => {
          if (!hadCall) starting -= 1
          if (isBusy) linger()
          change(-1)
        },
      })
    },
  }
}
