/** Work on sessions, one after the other for each. */
export interface Turns {
  /** Does work after what was asked for before. */
  readonly take: <Outcome>(sessionId: string, work: () => Promise<Outcome>) => Promise<Outcome>
  /** Resolves when what was asked for so far has ended, however. `undefined`: all of it has. */
  readonly settled: (sessionId: string) => Promise<unknown> | undefined
}

export function createTurns(): Turns {
  /** By session: the last one. */
  const last = new Map<string, Promise<unknown>>()
  const settled = (sessionId: string) => last.get(sessionId)?.catch(() => {})
  return {
    settled,
    take: (sessionId, work) => {
      const turn = settled(sessionId)?.then(work) ?? work()
      last.set(sessionId, turn)
      const clear = () => {
        if (last.get(sessionId) === turn) last.delete(sessionId)
      }
      turn.then(clear, clear)
      return turn
    },
  }
}
