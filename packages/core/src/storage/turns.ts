/** Work on sessions, one after the other for each. */
export interface Turns {
  /** Does work after what was asked for before. */
  readonly take: <Outcome>(sessionId: string, work: () => Promise<Outcome>) => Promise<Outcome>
  /** Resolves when what was asked for so far has ended, however. */
  readonly settled: (sessionId: string) => Promise<unknown>
}

export function createTurns(): Turns {
  /** By session: the last one. */
  const last = new Map<string, Promise<unknown>>()
  const settled = (sessionId: string) => (last.get(sessionId) ?? Promise.resolve()).catch(() => {})
  return {
    settled,
    take: (sessionId, work) => {
      const turn = last.has(sessionId) ? settled(sessionId).then(work) : work()
      last.set(sessionId, turn)
      const clear = () => {
        if (last.get(sessionId) === turn) last.delete(sessionId)
      }
      turn.then(clear, clear)
      return turn
    },
  }
}
