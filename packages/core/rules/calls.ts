import type { AgentEvent, EventOf } from '../src/kernel/events.ts'
import type { CallLogs } from '../src/kernel/tool-outcome.ts'
import { askApproval, checkPrepared, resolveApproval } from './approvals.ts'
import { endBatch } from './batches.ts'
import {
  type Book,
  type Call,
  type HookRecord,
  isLive,
  noLogs,
  type Session,
  triesOf,
} from './book.ts'
import { checkAttemptTime, checkEnd } from './ends.ts'
import { retryCall } from './retries.ts'
import { checkTruth } from './truth.ts'
import { checkDispatch, startInUnit } from './units.ts'

/** I7 to I10, I12, I14, I16 to I18, I32, I33, I38: what happens to a call, step by step. */
export interface CallRules {
  readonly see: (event: AgentEvent, book: Book) => void
}

type CallEvent = Exclude<
  Extract<AgentEvent, { readonly toolCallId: string }>,
  { readonly type: 'tool_retry_requested' }
>

export function createCallRules(session: Session): CallRules {
  const { check } = session
  return {
    see: (event, book) => {
      if (event.type === 'session_opened') loseEffects(session)
      if (event.type === 'tools_end') endBatch(session, event, book)
      if (!('toolCallId' in event) || event.toolCallId === undefined) return
      if (event.type === 'tool_retry_requested') return retryCall(session, event, book)
      const call = session.calls.get(event.toolCallId)
      const isOpen = call !== undefined && call.batch.book === book && book.batch === call.batch
      check(call === undefined ? 'I8' : 'I10', isOpen, `no open call ${event.toolCallId}`)
      if (!call || !isOpen) return
      check('I10', call.stage !== 'ended', 'the call has ended')
      checkPlace(session, call, book)
      if (event.type === 'auto_retry_start') return startRetry(session, event.ts, call)
      if (event.type !== 'auto_retry_end') moveOn(session, event, call)
    },
  }
}

function withLines(logs: CallLogs, { lines, dropped }: EventOf<'tool_log'>): CallLogs {
  return { lines: [...logs.lines, ...lines], dropped: logs.dropped + dropped }
}

/**
 * The hooks of a call are asked once in each opening of the log: the code of a new one does not know what they were
 * asked before.
 */
const noHooks: HookRecord = { before: 0, after: 0, beforeSaid: null, afterSaid: null }

/** Calls that a new opening of the log finds unfinished are neither repeated nor waited for. */
function loseEffects({ books }: Session): void {
  for (const { batch } of books.values()) {
    if (!batch) continue
    batch.lost = true
    for (const unit of batch.units) unit.isCut ||= unit.gathering
    for (const call of batch.calls) {
      if (call.stage !== 'ended') {
        Object.assign(call.hooks, noHooks)
        call.partial = null
        call.logs = noLogs
      }
      // A call that a person was asked about and that was not dispatched since does not count as started.
      const isAsked = call.approval !== null && triesOf(call) === 0
      const isWaiting = call.place === 'client' || call.staged || isAsked
      if (call.stage !== 'announced' && call.stage !== 'ended' && !isWaiting) call.lost = true
    }
  }
}

// A call ends in its turn. If its run ended and left it open, it ends before the first turn of a later run.
function checkPlace({ check }: Session, { batch }: Call, { run }: Book): void {
  const isOwnTurn = run?.runId === batch.runId && run.turns === batch.turn && !batch.carried
  const isLater = batch.carried && (run === null || run.turns === 0)
  check('I7', isOwnTurn || isLater, 'it does not happen in the turn of its call')
}

/** Whether the tool of a call lets it go on when its page is gone. */
function mayGoOn({ setup }: Session, { toolName }: Call): boolean {
  const { onInterrupt = 'error' } = setup.tools[toolName] ?? {}
  return onInterrupt !== 'error'
}

/** Code that may not run twice runs again only if it said itself that it failed. */
function mayBeTriedAgain({ setup, watched }: Session, { toolName, reply }: Call): boolean {
  const rule = setup.tools[toolName]
  if (!rule) return true
  const { retriedAfter } = rule
  return retriedAfter === 'thrown' ? !watched || reply?.kind === 'threw' : retriedAfter === 'all'
}

function startRetry(session: Session, ts: number, call: Call): void {
  const { check } = session
  checkAttemptTime(session, ts, call)
  const isCut = call.lost && call.dispatches > 0 && !call.retrying
  check('I33', isLive(call) || isCut, 'a retry of what did not run')
  check('D45', !call.lost || mayGoOn(session, call), 'what was cut off is to run again')
  if (!isCut) check('R4', mayBeTriedAgain(session, call), 'its tool does not allow another attempt')
  call.retrying = true
  call.runningAt = null
  call.reply = null
}

function moveOn(
  session: Session,
  event: Exclude<CallEvent, { type: 'auto_retry_start' }>,
  call: Call,
): void {
  const { check } = session
  switch (event.type) {
    case 'tool_execution_start':
      startInUnit(session, event, call)
      break
    case 'tool_approval_requested':
      askApproval(session, event, call)
      break
    case 'tool_approval_resolved':
      resolveApproval(session, event, call)
      break
    case 'tool_prepared':
      prepare(session, event, call)
      break
    case 'tool_dispatched':
      dispatch(session, event, call)
      break
    case 'tool_running':
      run(session, event, call)
      break
    case 'tool_execution_update':
    case 'tool_progress':
    case 'tool_log':
    case 'tool_custom':
      check('I10', isLive(call), `it is ${call.stage}`)
      check('I38', !call.lost, 'the execution is of an earlier boot')
      if (event.type !== 'tool_custom' || !event.durable) checkStream(session)
      if (event.type === 'tool_execution_update') call.partial = event.partialResult
      if (event.type === 'tool_log') call.logs = withLines(call.logs, event)
      break
    case 'tool_cancel_requested':
      call.cancelled = true
      break
    case 'tool_result_staged':
      check('I7', !call.staged, 'it was answered before')
      check('I32', mayBeAnswered(call), 'no answer for it is possible')
      call.staged = true
      break
    case 'tool_execution_end':
      endCall(session, event, call)
      break
    default:
  }
}

// In manual mode every call has the place of the page.
function mayBeAnswered({ place, stage }: Call): boolean {
  return place === 'client' && stage === 'prepared'
}

function prepare(session: Session, event: EventOf<'tool_prepared'>, call: Call): void {
  const { check, setup } = session
  check('I10', call.stage === 'started', `it was ${call.stage} before`)
  checkPrepared(session, event, call)
  if (event.isUnchecked) {
    check('I17', setup.toolMode === 'manual', 'its arguments do not fit')
  } else if (session.watched && setup.hooks.beforeToolCall) {
    const { before, beforeSaid } = call.hooks
    check('I17', before === 1, `its hook was asked ${before} times`)
    check('I17', beforeSaid === 'answered', 'its hook did not let it pass')
  }
  if (call.unit) call.unit.gathering = false
  call.stage = 'prepared'
}

function run(session: Session, event: EventOf<'tool_running'>, call: Call): void {
  const { check } = session
  check('I10', call.stage === 'dispatched' && isLive(call), `it was ${call.stage} before`)
  check('I34', event.executionId === call.executionId, 'another execution')
  call.stage = 'running'
  call.runningAt = event.ts
  checkStream(session)
}

function endCall(session: Session, event: EventOf<'tool_execution_end'>, call: Call): void {
  checkEnd(session, event, call)
  if (session.watched) checkTruth(session, event, call)
  // Calls that are skipped at one checkpoint may be in one unit, if they are retried.
  if (call.unit && event.outcome !== 'skipped') call.unit.gathering = false
  call.batch.ended += 1
  call.stage = 'ended'
  call.end = event
}

function checkStream({ check, setup }: Session): void {
  check('S001-5', setup.toolEvents, 'tool events are switched off')
}

function dispatch(session: Session, event: EventOf<'tool_dispatched'>, call: Call): void {
  const { check, setup, executionIds } = session
  const { batch } = call
  const { run } = batch.book
  const isAgain = triesOf(call) > 0
  check(
    'I10',
    isAgain ? call.stage !== 'started' : call.stage === 'prepared',
    `it was ${call.stage}`,
  )
  check('I18', batch.message.stopReason === 'tool_use', 'the answer was cut off')
  check('I32', setup.toolMode === 'auto' && call.place !== 'client', 'it is answered from outside')
  check('I20', run !== null && run.abortedAt === null, 'a dispatch after the abort')
  check('I33', event.attempt === call.dispatches + 1, `attempt ${event.attempt}`)
  check('I33', !executionIds.has(event.executionId), 'an execution id is used twice')
  const isOver = call.lost && !mayGoOn(session, call)
  check('I38', !isOver, 'what an earlier boot began is begun again')
  if (isAgain && !isOver) check('I33', call.retrying, 'another attempt without a retry')
  if (isAgain && call.lost && !isOver) {
    check('D46', run?.start.trigger === 'continue', 'it runs again, and the run was not continued')
  }
  check('I17', !call.cancelled, 'it was cancelled')
  executionIds.add(event.executionId)
  call.wasCut = call.lost && isAgain
  call.fate = null
  call.lost = false
  call.retrying = false
  checkDispatch(session, call)
  call.dispatches += 1
  call.executionId = event.executionId
  call.reply = null
  call.stage = 'dispatched'
}
