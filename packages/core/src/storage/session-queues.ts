/** Runs work on sessions: for each session one piece after the other. */
export interface SessionQueues {
  /** Does the work after everything that was asked for before, for the same session. */
  readonly run: <Outcome>(sessionId: string, work: () => Promise<Outcome>) => Promise<Outcome>
  /**
   * Resolves when everything that was asked for so far has ended, with or without success. `undefined`: it has already.
   */
  readonly settled: (sessionId: string) => Promise<unknown> | undefined
}

/** Creates queues in which the work on one session waits for the work before it, and different sessions do not wait. */
export function createSessionQueues(): SessionQueues {
  /** The last work of each session. */
  const last = new Map<string, Promise<unknown>>()
  const settled = (sessionId: string) => last.get(sessionId)?.catch(() => {})
  return {
    settled,
    run: (sessionId, work) => {
      const running = settled(sessionId)?.then(work) ?? work()
      last.set(sessionId, running)
      const clear = () => {
        if (last.get(sessionId) === running) last.delete(sessionId)
      }
      running.then(clear, clear)
      return running
    },
  }
}
