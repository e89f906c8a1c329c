import type { EventOf } from '../src/kernel/events.ts'
import { type Batch, type Book, type Call, noLogs, type Run, type Session } from './book.ts'

type Retry = EventOf<'tool_retry_requested'>

/** R5 to R8: a person has a call run once more, while its answer is open or on a branch of its own. */
export function retryCall(session: Session, event: Retry, book: Book): void {
  const { check, calls } = session
  const { run } = book
  const call = calls.get(event.toolCallId)
  check('R8', call !== undefined && call.batch.book === book, `no call ${event.toolCallId}`)
  check('R8', run !== null && run.abortedAt === null, 'no run is there to run it')
  if (!call || !run) return
  // A call that was cut off with its page runs again anyway.
  if (call.stage !== 'ended' && call.lost && call.retrying && book.batch === call.batch) return
  if (book.batch) {
    check('R6', book.batch === call.batch, 'other calls are open')
    check('R6', book.batch.toolMessages === null, 'its result is given to the model')
    check('R8', call.stage === 'ended', `it is ${call.stage}`)
    book.batch.ended -= 1
  } else {
    openBranch(session, call, { book, run })
  }
  check('R8', call.batch.message.stopReason === 'tool_use', 'its answer was cut off')
  begin(call)
}

function begin(call: Call): void {
  call.retriedAfter = call.dispatches
  call.stage = 'announced'
  call.place = 'worker'
  call.runningAt = null
  call.retrying = false
  call.cancelled = false
  call.lost = false
  call.wasCut = false
  call.fate = null
  call.staged = false
  call.approval = null
  call.reply = null
  call.partial = null
  call.logs = noLogs
  call.end = null
  Object.assign(call.hooks, { before: 0, after: 0, beforeSaid: null, afterSaid: null })
}

interface Scene {
  readonly book: Book
  readonly run: Run
}

// The other calls stay as they ended on the branch that was left.
function openBranch({ check }: Session, { batch }: Call, { book, run }: Scene): void {
  check('R7', book.head === batch.message.id, 'the head is not the answer that made it')
  check('R7', run.turns === 0, 'the run has had turns')
  const again: Batch = {
    ...batch,
    runId: run.runId,
    turn: 0,
    strategy: run.start.toolExecution,
    units: [],
    started: batch.calls.length,
    ended: batch.calls.length - 1,
    carried: true,
    lost: false,
    toolMessages: null,
    delivered: 0,
  }
  for (const one of batch.calls) {
    one.batch = again
    one.unit = null
    one.stage = 'ended'
    one.end = book.left?.get(one.toolCallId) ?? null
  }
  book.batch = again
}
