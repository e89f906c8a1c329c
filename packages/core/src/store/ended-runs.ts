import type { EndedRun, RunEnd } from '../kernel/state.ts'

/** How the runs of the session ended. A new object for each run that ended. */
export interface EndedRuns {
  /** The run after which this message was the last one that people read. */
  readonly get: (messageId: string) => RunEnd | undefined
}

/** Follows the runs of states. Each look costs only as much as the runs that have ended since the last one. */
export function createEndedRuns(): (lastRun: EndedRun | null) => EndedRuns {
  const ends = new Map<string, RunEnd>()
  const get = (messageId: string) => ends.get(messageId)
  let last: EndedRun | null = null
  let shown: EndedRuns = { get }
  return (lastRun) => {
    if (lastRun === last) return shown
    const added: EndedRun[] = []
    for (let run = lastRun; run && run !== last; run = run.previous) added.push(run)
    for (const run of added.reverse()) if (run.messageId !== null) ends.set(run.messageId, run)
    last = lastRun
    shown = { get }
    return shown
  }
}
