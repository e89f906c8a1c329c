import type { Session } from './play.ts'

/** The slot of a killed worker is taken for this long: the only timer that may outlive its run. */
const afterlifeMs = 2000

/**
 * Nothing happens by itself any more. If a run is still active it waits for something that has a name, or it
 * hangs. The user ends it. Says whether there was anything to do.
 */
export function conclude({ world, page, judge }: Session): boolean {
  switch (world.desk.run()) {
    case 'none':
      return false
    case 'aborting':
      judge.broken('I20', 'an aborted run never ends')
      return false
    case 'active':
      if (page.clock.pending().length > 0) judge.broken('I25', 'a timer is never due')
      page.agent.abort()
      return true
  }
}

/** What is left although everything has ended. */
export function restProblems({ page, waiting, judge }: Session): readonly string[] {
  if (judge.found().length > 0) return []
  const unsettled = waiting.find((promised) => !promised.settled)
  const timers = page.clock.pending().filter((ms) => ms !== afterlifeMs)
  return [
    ...(unsettled ? [`${unsettled.what} never settles`] : []),
    ...(page.workers.live() > 0 ? [`${page.workers.live()} workers are left`] : []),
    ...(timers.length > 0 ? [`timers are left: ${timers.join(', ')} ms`] : []),
  ]
}
