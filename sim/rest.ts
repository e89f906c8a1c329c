import type { CallLogs } from '../packages/core/src/kernel/tool-outcome.ts'
import type { AgentState } from '../packages/core/src/store/agent-state.ts'
import type { Session } from './session.ts'
import { afterlifeMs } from './world/page-ports.ts'

/**
 * Nothing happens by itself any more. A run that is still active waits for an answer, or it hangs. The user ends it.
 * Returns whether there was anything to do.
 */
export function conclude(session: Session): boolean {
  const { world, page, judge } = session
  if (hasStorageFailed(session)) return false
  if (isOnlyShown(session)) return false
  switch (world.desk.run()) {
    case 'none':
      return false
    case 'aborting':
      if (!isStorageStuck(session)) judge.broken('I20', 'an aborted run never ends')
      return false
    case 'active':
      // What this user does next shows the page that it was replaced, and the run is over.
      if (isUnaware(page)) return writeSomething(page)
      if (!waitsForSomething(session))
        judge.broken('I25', 'a run waits for nothing, and never ends')
      page.agent.abort()
      return true
  }
}

function writeSomething({ agent }: Session['page']): true {
  agent.clearQueues()
  return true
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

/** The storage failed for good: the last events are not stored, and the runs stay open. */
export function hasStorageFailed({ page }: Session): boolean {
  return page.agent.getState().error?.kind === 'storage'
}

/** Without locks that all pages know, a page that was replaced learns that when it writes again. */
function isUnaware({ agent, connection }: Session['page']): boolean {
  return agent.getState().access === 'owner' && connection?.isOwner() === false
}

/** After two pages that ended while they opened it, a session is only shown: its run stays as it is. */
function isOnlyShown({ page }: Session): boolean {
  return page.agent.getState().access === 'read-only'
}

/** Without a run, and without anything that could start one, nothing may be going on. */
export function judgeIdleness(session: Session): void {
  const { world, page, judge, disposed } = session
  for (const { workers, clock, connection } of disposed) {
    if (workers.live() > 0) judge.broken('I25', 'dispose leaves a worker')
    if (connection?.isBusy()) continue
    if (clock.pending().length > 0) judge.broken('I25', 'dispose leaves a timer')
  }
  if (world.desk.run() !== 'none' || isStorageStuck(session)) return
  // Messages to other pages are collected for a moment, and the page that asked for an output waits for its check.
  const isAwaited = world.plan.output !== undefined && session.waiting.some((one) => !one.settled)
  if (timersOf(session) > 0 && !world.plan.pages && !isAwaited)
    judge.broken('I25', 'a timer outlives its run')
  if (page.workers.live() > 0) judge.broken('I25', 'a worker outlives its run')
}

/** How far a call came that ended once is shown as its end says, however often the session was opened since. */
function judgePartials({ world, judge }: Session, { toolCalls }: AgentState): void {
  const log = [...(world.mode.from ?? []), ...world.log]
  const ends = log.filter((event) => event.type === 'tool_execution_end')
  const ids = ends.map(({ toolCallId }) => toolCallId)
  for (const { toolCallId, partialResult, logs } of ends) {
    if (ids.indexOf(toolCallId) !== ids.lastIndexOf(toolCallId)) continue
    const shown = toolCalls.get(toolCallId)
    // A retry that was cut off has no end of its own.
    const [call = shown] = shown?.earlier ?? []
    // A follower may not have the end of a deleted session.
    if (!call?.result || call.result.redacted) continue
    if (JSON.stringify(call.partial) !== JSON.stringify(partialResult))
      judge.broken('D91', `${toolCallId} shows ${JSON.stringify(call.partial)} at its end`)
    if (logs && !isEndOf(call.logs, logs))
      judge.broken('D137', `${toolCallId} shows ${JSON.stringify(call.logs)} at its end`)
  }
}

/** Whether the log of a call ends as its end says. A page that saw the call has more of it. */
export function isEndOf(shown: CallLogs, { lines, dropped }: CallLogs): boolean {
  const last = shown.lines.slice(Math.max(0, shown.lines.length - lines.length))
  const isSameCount = shown.dropped + shown.lines.length === dropped + lines.length
  return isSameCount && JSON.stringify(last) === JSON.stringify(lines)
}

/** Where nothing runs any more, no call may look as if it did. */
function judgeStopped({ judge }: Session, { messages, toolCalls, access }: AgentState): void {
  for (const { content } of messages) {
    for (const part of content) {
      const call = part.type === 'toolCall' ? toolCalls.get(part.toolCallId) : undefined
      if (call && goingOn.has(call.status))
        judge.broken('D138', `${call.toolCallId} is ${call.status} (${access}), and nothing runs`)
    }
  }
}

const goingOn: ReadonlySet<string> = new Set(
  'input_streaming starting running cancelling'.split(' '),
)

function timersOf({ page }: Session): number {
  return page.clock.pending().filter((ms) => ms !== afterlifeMs).length
}

/** Reports what is left although everything has ended. */
export function judgeRest(session: Session): void {
  const { page, waiting, judge, world } = session
  // The snapshot is read once in every session, so that the projection of any log is tested.
  if (!isOnlyShown(session)) judgePartials(session, page.look())
  const stopped = hasStorageFailed(session)
  if (stopped || isOnlyShown(session)) judgeStopped(session, page.look())
  const misdelivered = page.misdelivered()
  if (misdelivered !== null) judge.broken('I30', misdelivered)
  const { appends, loads = [] } = world.plan
  const isSpoilt = appends.length > 0 || loads.length > 0 || world.disk.deletedAt() > 0
  if (stopped && !isSpoilt) judge.broken('I29', 'events that were delivered are not stored')
  if (!isStorageStuck(session)) {
    const unsettled = waiting.find(
      (one) => !one.settled && !one.page.connection?.isBusy() && !isUnaware(one.page),
    )
    if (unsettled) judge.broken('I25', `${unsettled.what} never settles`)
  }
  const leftovers = { timers: timersOf(session), workers: page.workers.live() }
  if (isOnlyShown(session)) return
  if (!stopped) judge.rules.rest(leftovers)
  else if (leftovers.timers + leftovers.workers > 0) {
    judge.broken('I25', `a storage failed, and it leaves ${JSON.stringify(leftovers)}`)
  }
}
