import type { Execution } from '../tools/host.ts'

/** Counts the use of a connection that all calls share, to know when it is needed no more. */
export interface Usage {
  /** The execution, extended so that it is counted while it runs. */
  readonly counted: (execution: Execution) => Execution
  /** Called when no call is expected any more: the connection ends with the last one that runs. */
  readonly release: () => void
}

/**
 * Counts the calls that run. When the last of them has ended, the connection is dropped if one had to be cut off: a server,
 * or a worker, that does not even take a cancellation may never do so.
 */
export function countUse(drop: () => void): Usage {
  let running = 0
  let isSuspect = false
  let isReleased = false

  const leave = (): void => {
    running -= 1
    if (running > 0 || !(isSuspect || isReleased)) return
    isSuspect = false
    drop()
  }
  return {
    counted: (execution) => ({
      ...execution,
      run: async (request, listener) => {
        running += 1
        isReleased = false
        const settlement = await execution.run(request, listener)
        isSuspect ||= settlement.kind === 'stopped' && settlement.how === 'terminated'
        leave()
        return settlement
      },
    }),
    release: () => {
      isReleased = true
      if (running === 0) drop()
    },
  }
}
