import type { Session } from './session.ts'
import { afterlifeMs } from './world/page-ports.ts'

/**
 * Nothing happens by itself any more. If a run is still active it waits for something that has a name, or it
 * hangs. The user ends it. Says whether there was anything to do.
 */
export function conclude(session: Session): boolean {
  const { world, page, judge } = session
  if (hasGivenUp(session)) return false
  switch (world.desk.run()) {
    case 'none':
      return false
    case 'aborting':
      if (!isStorageStuck(session)) judge.broken('I20', 'an aborted run never ends')
      return false
    case 'active':
      if (!waitsForSomething(session))
        judge.broken('I25', 'a run waits for nothing, and never ends')
      page.agent.abort()
      return true
  }
}

function waitsForSomething(session: Session): boolean {
  const { world, page } = session
  const isStreamWatched = world.plan.options.streamIdleMs !== null
  return (
    page.workers.live() > 0 ||
    world.desk.approvals().length > 0 ||
    isStorageStuck(session) ||
    !isStreamWatched
  )
}

function isStorageStuck({ page }: Session): boolean {
  return page.connection?.isBusy() === true
}

/** The storage failed for good: what was told last is not stored, and the runs stay open. */
export function hasGivenUp({ page }: Session): boolean {
  return page.agent.getState().error?.kind === 'storage'
}

/** No run, and nothing that could be one: then nothing may be going on either. */
export function judgeIdleness(session: Session): void {
  const { world, page, judge, disposed } = session
  for (const { workers, clock, connection } of disposed) {
    if (workers.live() > 0) judge.broken('I25', 'dispose leaves a worker')
    if (connection?.isBusy()) continue
    if (clock.pending().length > 0) judge.broken('I25', 'dispose leaves a timer')
  }
  if (world.desk.run() !== 'none' || isStorageStuck(session)) return
  if (timersOf(session) > 0) judge.broken('I25', 'a timer outlives its run')
  if (page.workers.live() > 0) judge.broken('I25', 'a worker outlives its run')
}

function timersOf({ page }: Session): number {
  return page.clock.pending().filter((ms) => ms !== afterlifeMs).length
}

/** What is left although everything has ended. */
export function judgeRest(session: Session): void {
  const { page, waiting, judge, world } = session
  // Every session is looked at once, whatever happened in it.
  page.look()
  const stopped = hasGivenUp(session)
  const misheard = page.misheard()
  if (misheard !== null) judge.broken('I30', misheard)
  const isSpoilt = world.plan.appends.length > 0 || (world.plan.loads ?? []).length > 0
  if (stopped && !isSpoilt) judge.broken('I29', 'what was told is not stored')
  if (!isStorageStuck(session)) {
    const unsettled = waiting.find((promised) => !promised.settled)
    if (unsettled) judge.broken('I25', `${unsettled.what} never settles`)
  }
  const leftovers = { timers: timersOf(session), workers: page.workers.live() }
  if (!stopped) judge.rules.rest(leftovers)
  else if (leftovers.timers + leftovers.workers > 0) {
    judge.broken('I25', `a storage failed, and it leaves ${JSON.stringify(leftovers)}`)
  }
}
