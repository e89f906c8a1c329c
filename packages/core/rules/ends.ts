import type { EventOf } from '../src/kernel/events.ts'
import { type Call, type Session, triesOf } from './book.ts'
import { isSame } from './messages.ts'
import { isDone } from './units.ts'

type End = EventOf<'tool_execution_end'>

/** How a call may end: I7, I16, I17, I18, I21, I33, I38. */
export function checkEnd(session: Session, end: End, call: Call): void {
  const { check } = session
  const { outcome, errorKind } = end
  const ran = call.dispatches > 0
  check('I7', call.stage !== 'announced', 'it never started')
  check('I7', end.toolName === call.toolName, 'it ends as another tool')
  const isHooked = session.setup.hooks.afterToolCall === true
  check('I7', isHooked || end.isError === (outcome !== 'succeeded'), 'outcome and error disagree')
  check('I7', outcome === 'succeeded' || errorKind !== undefined, 'a failure has a kind')
  const isDone = call.staged && outcome !== 'succeeded' && errorKind !== 'failed'
  if (!call.staged || isDone)
    check('I33', end.mayHaveRun === (ran || isDone), 'it says otherwise whether it ran')
  if (ran)
    check('I33', end.attempt === call.dispatches, `attempt ${end.attempt} of ${call.dispatches}`)
  if (outcome === 'succeeded') {
    check('I33', triesOf(call) > 0 || call.staged, 'its code did not run')
  }
  if (outcome === 'interrupted') check('I38', call.batch.lost, 'nothing was interrupted')
  else if (call.lost && ran) {
    // The call was to run again, by a rule or for a person, and no worker could be started for that.
    const mayRun = call.retrying || triesOf(call) === 0
    const isWithoutWorker = mayRun && (errorKind === 'crashed' || errorKind === 'timeout')
    const isRight = outcome === 'cancelled' || isWithoutWorker
    check('I38', isRight, 'it was lost and is not interrupted')
  }
  if (call.fate === 'unknown' && outcome === 'succeeded')
    check('D48', false, 'its check did not say that it was done')
  if (outcome === 'denied') check('I17', triesOf(call) === 0, 'it was denied and ran')
  const isLeft = call.batch.carried && outcome === 'cancelled'
  if (isDenied(call) && !isLeft) {
    check('I17', outcome === 'denied', 'it was denied and ends otherwise')
  }
  if (outcome === 'skipped') checkSkipped(session, call)
  checkCutOff(session, end, call)
  checkText(session, end)
  checkPartial(session, end, call)
  checkLogs(session, end, call)
  checkTime(session, end, call)
}

// An aborted call is cancelled, whatever had been decided about it.
function isDenied({ approval, batch, lost, cancelled }: Call): boolean {
  if (lost || cancelled || batch.book.run?.abortedAt !== null) return false
  return approval?.answer?.decision === 'deny'
}

function checkSkipped({ check }: Session, call: Call): void {
  const { stage, unit, batch } = call
  check('I16', stage === 'started', `a call was skipped that was ${stage}`)
  check('I16', unit !== null && unit.index > 0, 'there is no checkpoint before the first unit')
  check('I16', batch.book.steering.waiting.length > 0, 'there is no steering message')
  const isBetween = batch.calls.every(
    (one) => one === call || one.stage === 'announced' || isDone(one),
  )
  check('I16', isBetween || batch.lost, 'the unit before is not done')
}

function checkCutOff({ check }: Session, end: End, { batch, staged }: Call): void {
  const isCutOff = batch.message.stopReason !== 'tool_use'
  if (!isCutOff) check('I18', end.errorKind !== 'truncated_call', 'the answer is whole')
  else check('I18', end.isError && !staged, 'a call of an answer that was cut off succeeded')
}

const cutOff = 'Not run: the answer was cut off before this call was complete.'
const skipped = 'Not run: the user sent a new message.'
const lost =
  'Interrupted: the page closed or reloaded while this tool was running. It may or may not have completed. Check before retrying.'
const lostBefore = 'Interrupted before it started. It did not run.'

// The model gets the fixed texts, word by word.
function checkText({ check }: Session, { errorKind, result, mayHaveRun }: End): void {
  const [part] = result.content
  const text = part?.type === 'text' ? part.text : ''
  if (errorKind === 'truncated_call') check('I18', text === cutOff, `the model reads "${text}"`)
  if (errorKind === 'skipped') check('I16', text === skipped, `the model reads "${text}"`)
  if (errorKind !== 'interrupted') return
  check('I38', text === (mayHaveRun ? lost : lostBefore), `the model reads "${text}"`)
}

/** D91: the last partial result of a call stays if it did not succeed, and if no hook has a say in what is kept of it. */
function checkPartial(
  { check, setup }: Session,
  { outcome, partialResult }: End,
  call: Call,
): void {
  const hasFailed = outcome !== 'succeeded'
  if (partialResult) {
    const isLast = !setup.hasDeltas || isSame(partialResult, call.partial)
    check('D91', hasFailed, 'it succeeded, and its partial result is kept')
    check('D91', isLast, 'what is kept is not its last partial result')
  } else if (call.partial && setup.hooks.afterToolCall === false) {
    check('D91', !hasFailed, 'its partial result is not kept')
  }
}

/** D137: this many of the last lines that a call logged stay, unless a hook has a say in what is kept of them. */
const keptLines = 20

function checkLogs({ check, setup }: Session, { logs }: End, call: Call): void {
  const { lines, dropped } = call.logs
  if (logs) {
    const count = logs.lines.length
    check('D137', count <= keptLines, `${count} lines of its log are kept`)
    if (!setup.hasDeltas) return
    const last = lines.slice(lines.length - count)
    check('D137', isSame(logs.lines, last), 'what is kept of its log is not its end')
    const missing = dropped + lines.length - count
    check('D137', logs.dropped === missing, `${logs.dropped} lines are missing, and not ${missing}`)
  } else if (dropped + lines.length > 0 && setup.hooks.afterToolCall === false) {
    check('D137', false, 'nothing of its log is kept')
  }
}

function checkTime(session: Session, { timing, ts }: End, call: Call): void {
  const { check } = session
  const most = limitOf(session, call)
  if (most === null) return
  // The time of a call that was retried covers all attempts and the waits between them.
  const isOnce = triesOf(call) === 1 && !call.retrying
  const ownMs = timing.runMs - hookTime(session)
  if (isOnce) check('I21', ownMs <= most, `it ran ${timing.runMs} ms, ${most} are allowed`)
  checkAttemptTime(session, ts, call)
}

/** I21: an attempt is over when its code has ended. Hooks that look at its result may take longer. */
export function checkAttemptTime(session: Session, ts: number, call: Call): void {
  const { check } = session
  const most = limitOf(session, call)
  if (most === null || call.runningAt === null || call.retrying) return
  const took = ts - call.runningAt
  check(
    'I21',
    took - hookTime(session) <= most,
    `it ended ${took} ms after it began, ${most} are allowed`,
  )
}

function hookTime({ setup }: Session): number {
  return setup.hooks.afterToolCall ? setup.hookTimeoutMs : 0
}

function limitOf({ setup }: Session, call: Call): number | null {
  const limit = setup.tools[call.toolName]?.timeoutMs
  if (limit === undefined || limit === null || call.lost || triesOf(call) === 0) return null
  return limit + setup.abortGraceMs + setup.slackMs
}
