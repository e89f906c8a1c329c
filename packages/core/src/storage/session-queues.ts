/** Work on sessions, one after the other for each. */
export interface SessionQueues {
  /** Does work after what was asked for before. */
  readonly run: <Outcome>(sessionId: string, work: () => Promise<Outcome>) => Promise<Outcome>
  /** Resolves when what was asked for so far has ended, however. `undefined`: all of it has. */
  readonly settled: (sessionId: string) => Promise<unknown> | undefined
}

/** Creates queues in which the work on one session waits for the work before it, and different sessions do not wait. */
export function createSessionQueues(): SessionQueues {
  /** By session: the last one. */
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
