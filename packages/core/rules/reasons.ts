import type { EventOf } from '../src/kernel/events.ts'
import type { Batch, Book, Call, Run } from './book.ts'
import type { Setup } from './options.ts'
import { isRepairDue } from './outputs.ts'

interface Scene {
  readonly book: Book
  readonly run: Run
  readonly setup: Setup
}

interface Problem {
  readonly rule: string
  readonly why: string
}

/** Why a run may not end with the reason it states, or `null`. */
export function problemOfEnd(event: EventOf<'agent_end'>, scene: Scene): Problem | null {
  const { reason } = event
  const { run, book, setup } = scene
  const isLimit = reason === 'max_turns'
  if (event.maxTurnsReached !== isLimit) return problem('I22', 'the flag is not the reason')
  const isAborted = run.abortedAt !== null
  if (run.lost && !isAborted && reason !== 'interrupted' && !isAwaiting(reason)) {
    return problem('I38', `a run of an earlier boot ended as ${reason}`)
  }
  const isHeld = reason === 'interrupted' && book.batch?.calls.some((call) => mayStay(call, setup))
  const mayLeave = isAwaiting(reason) || isHeld || (reason === 'rejected' && book.batch?.carried)
  if (book.batch && !mayLeave) return problem('I7', 'calls have no result')
  return problemOfReason(event, scene)
}

/** Whether a call may stay open when its page is gone. */
function mayStay(call: Call, { tools }: Setup): boolean {
  const { onInterrupt = 'error' } = tools[call.toolName] ?? {}
  return call.stage !== 'ended' && onInterrupt !== 'error'
}

function problemOfReason(event: EventOf<'agent_end'>, scene: Scene): Problem | null {
  const { run, book } = scene
  const { answer } = run
  switch (event.reason) {
    case 'stop':
      return problemOfStop(scene)
    case 'terminated': {
      const isDone = answer === null || hasCalls(run)
      if (!run.terminate || !isDone) return problem('I24', 'not every result said terminate')
      return queuesAreEmpty(book) ? null : problem('I24', 'a queue is not empty')
    }
    case 'max_turns': {
      if (run.counted !== run.start.maxTurns) return problem('I22', `after ${run.counted} turns`)
      if (!isDue(scene)) return problem('I22', 'no other turn was due')
      return run.warnings.length > 0 ? null : problem('I22', 'there is no warning')
    }
    case 'awaiting_tool_results':
      return problemOfAwaitingResults(scene)
    case 'awaiting_approval':
      return book.batch?.calls.some((call) => isAwaitingApproval(call) || isDecided(call, run))
        ? null
        : problem('I7', 'no call awaits approval')
    case 'rejected':
      return run.rejected && run.turns === 0 ? null : problem('I27', 'no input was rejected')
    case 'refusal':
      return run.refused ? null : problem('I23', 'the model did not refuse')
    case 'error':
      return event.error ? null : problem('I23', 'there is no error')
    case 'loop_detected':
      return run.loop ? null : problem('I23', 'no loop was detected')
    case 'interrupted':
      return run.lost ? null : problem('I38', 'the run was not lost')
    default:
      return null
  }
}

function problemOfStop({ run, book }: Scene): Problem | null {
  const { answer } = run
  if (!answer) return problem('I23', 'there is no answer')
  if (hasCalls(run)) return problem('I23', 'the last answer has calls')
  if (answer.stopReason === 'pause_turn') return problem('I23', 'the model only paused')
  return queuesAreEmpty(book) ? null : problem('I23', 'a queue is not empty')
}

function problemOfAwaitingResults({ book, run }: Scene): Problem | null {
  const { batch } = book
  if (!batch) return problem('I7', 'there are no calls')
  const isWaiting = ({ stage, staged, place }: Call) =>
    stage === 'prepared' && (!staged || run.lost) && place === 'client'
  if (!batch.calls.some(isWaiting)) return problem('I7', 'no call waits for an answer')
  return problemOfRest(batch)
}

// Calls must not be left open if they wait for nothing from outside.
function problemOfRest({ calls, lost }: Batch): Problem | null {
  const left = calls.find(
    (call) =>
      call.stage !== 'ended' &&
      !(call.place === 'client' && call.stage === 'prepared') &&
      !isAwaitingApproval(call),
  )
  return left && !lost ? problem('I7', `the call ${left.toolCallId} was left behind`) : null
}

/** Whether another request to the model is due. */
function isDue({ run, book }: Scene): boolean {
  if (hasCalls(run) && !run.terminate) return true
  return (
    isRepairDue(run) || run.answer?.stopReason === 'pause_turn' || book.steering.waiting.length > 0
  )
}

// The page went away between an answer to an approval and its use: the next run uses it.
function isDecided({ approval, stage }: Call, run: Run): boolean {
  return run.lost && stage === 'started' && Boolean(approval?.answer)
}

function isAwaitingApproval({ approval, stage }: Call): boolean {
  return stage !== 'ended' && approval !== null && approval.answer === null
}

export function hasCalls({ answer }: Run): boolean {
  return answer?.content.some((part) => part.type === 'toolCall') ?? false
}

function isAwaiting(reason: string): boolean {
  return reason === 'awaiting_tool_results' || reason === 'awaiting_approval'
}

function queuesAreEmpty({ steering, followUp }: Book): boolean {
  return steering.waiting.length === 0 && followUp.waiting.length === 0
}

function problem(rule: string, why: string): Problem {
  return { rule, why }
}
