import type { AgentEvent, EventOf } from '../src/kernel/events.ts'
import { type Book, isLive, type Run, type Session } from './book.ts'
import { problemOfOutput } from './outputs.ts'
import { problemOfEnd } from './reasons.ts'
import { isSameUsage, sumOf } from './usage.ts'

/** I2, I3, I20, I22, I25, I27, I31 and I38 as far as runs and turns go. */
export interface RunRules {
  readonly see: (event: AgentEvent, book: Book) => void
}

export function createRunRules(session: Session): RunRules {
  const { check } = session
  return {
    see: (event, book) => {
      seeEnvelope(session, event, book)
      const { run } = book
      switch (event.type) {
        case 'session_opened':
          check('I38', !session.bootIds.has(event.bootId), 'two boots have one id')
          session.bootIds.add(event.bootId)
          for (const one of session.books.values()) if (one.run) one.run.lost = true
          break
        case 'agent_start':
          startRun(session, event, book)
          break
        case 'turn_start':
          startTurn(session, book)
          break
        case 'turn_end':
          endTurn(session, event, book)
          break
        case 'agent_end':
          endRun(session, event, book)
          break
        case 'abort_requested':
          check('I20', run !== null, 'there is no run to abort')
          if (run) run.abortedAt ??= event.ts
          break
        case 'input_rejected':
          check('I27', run?.start.trigger === 'prompt' && run.turns === 0, 'no prompt to reject')
          if (run) run.rejected = true
          break
        case 'loop_detected':
          if (run) run.loop ||= event.aborted
          break
        case 'warning':
          run?.warnings.push(event.code)
          break
        case 'compaction_start':
        case 'auto_retry_start':
        case 'tool_approval_requested':
          check('I20', run === null || run.abortedAt === null, 'a new effect after the abort')
          break
        default:
      }
    },
  }
}

function seeEnvelope({ check, calls }: Session, event: AgentEvent, { run }: Book): void {
  if (event.parentToolCallId !== undefined) {
    const parent = calls.get(event.parentToolCallId)
    const isOpen = parent !== undefined && parent.dispatches > 0 && parent.stage !== 'ended'
    check('I10', isOpen, `its call ${event.parentToolCallId} is not running`)
  }
  if (event.type === 'agent_start') {
    check('I3', event.turn === 0, 'a run begins in turn 0')
    return
  }
  // A caller that opens the log cannot see yet that a run is open in it.
  if (event.type === 'session_opened' && event.runId === null) return
  const isOwn = event.runId === (run?.runId ?? null)
  check(run === null ? 'I25' : 'I2', isOwn, `it is of ${event.runId}, open is ${run?.runId}`)
  const turn = (run?.turns ?? 0) + (event.type === 'turn_start' ? 1 : 0)
  check('I3', event.turn === turn, `it is of turn ${event.turn}, open is ${turn}`)
}

function startRun({ check, runIds }: Session, event: EventOf<'agent_start'>, book: Book): void {
  const runId = event.runId ?? ''
  check('I2', book.run === null, 'another run is open')
  check('I2', runId !== '' && !runIds.has(runId), 'a run has an id of its own')
  runIds.add(runId)
  const isPrompt = event.trigger === 'prompt'
  check(
    'I27',
    isPrompt === (event.input !== undefined),
    'a prompt, and only a prompt, has an input',
  )
  book.run = {
    runId,
    start: event,
    turns: 0,
    counted: 0,
    turn: null,
    abortedAt: null,
    lost: false,
    usages: [],
    childUsages: [],
    prompts: 0,
    promptHooks: 0,
    promptSaid: null,
    rejected: false,
    loop: false,
    warnings: [],
    answer: null,
    checked: null,
    repairs: 0,
    refused: false,
    terminate: false,
  }
}

function startTurn({ check, setup, watched }: Session, { run, batch, agentId }: Book): void {
  check('I2', run !== null, 'there is no run')
  if (!run) return
  check('I3', run.turn === null, 'the turn before is open')
  check('I7', batch === null, 'calls of an earlier answer have no result')
  // A message of the user is written in a turn of its own, even if no request follows.
  const isFirst = run.turns === 0
  check('I38', !run.lost || isFirst, 'a run of an earlier opening continues')
  check('I20', run.abortedAt === null || isFirst, 'a turn after the abort')
  check('I27', !run.rejected, 'a turn after the rejection')
  const isAsked = watched && setup.hooks.onUserPromptSubmit && run.start.trigger === 'prompt'
  if (agentId === '' && isAsked && isFirst && !run.lost && run.abortedAt === null) {
    check('I27', run.promptSaid === 'answered', 'the prompt hook did not let it pass')
  }
  run.turns += 1
  run.counted += 1
  run.turn = { usages: [], answer: null, steering: 0, followUps: 0 }
}

function endTurn({ check }: Session, event: EventOf<'turn_end'>, { run, open }: Book): void {
  const turn = run?.turn
  check('I3', turn !== null && turn !== undefined, 'there is no open turn')
  check('I4', open === null, `the message ${open?.message.id} is open`)
  if (!run || !turn) return
  const ids = turn.answer?.content.flatMap((part) =>
    part.type === 'toolCall' ? [part.toolCallId] : [],
  )
  check('I3', String(event.toolCallIds) === String(ids ?? []), 'it names other calls')
  if (turn.answer) check('I3', event.messageId === turn.answer.id, 'it names another answer')
  check('I31', isSameUsage(event.usage, sumOf(turn.usages)), 'its usage is not that of its answers')
  run.usages.push(event.usage)
  run.turn = null
}

function endRun(session: Session, event: EventOf<'agent_end'>, book: Book): void {
  const { check, calls } = session
  const { run, batch, open } = book
  check('I2', run !== null, 'there is no run')
  if (!run) return
  check('I3', run.turn === null, 'the turn is open')
  check('I4', open === null, `the message ${open?.message.id} is open`)
  check('I25', !batch?.calls.some(isLive), 'a call is still running')
  check('I31', event.turns === run.turns, `it counts ${event.turns} turns of ${run.turns}`)
  const usage = sumOf([...run.usages, ...run.childUsages])
  check('I31', isSameUsage(event.usage, usage), 'its usage is not that of its turns and sub-agents')
  checkAbort(session, event, run)
  const scene = { book, run, setup: session.setup }
  const problem = problemOfEnd(event, scene) ?? problemOfOutput(event, run)
  check(problem?.rule ?? 'I3', problem === null, problem?.why ?? '')
  // The prompt of a sub-agent comes from its call, not from a queue.
  if (book.agentId === '') checkPromptHook(session, run)
  if (batch) batch.carried = true
  const parent = calls.get(event.parentToolCallId ?? '')
  parent?.batch.book.run?.childUsages.push(event.usage)
  book.run = null
}

function checkAbort({ check, setup }: Session, event: EventOf<'agent_end'>, run: Run): void {
  const isAborted = run.abortedAt !== null
  check('I20', isAborted === (event.reason === 'aborted'), 'aborted without being so, or otherwise')
  const limit = setup.abortGraceMs + setup.slackMs
  if (run.abortedAt === null || run.lost) return
  const took = event.ts - run.abortedAt
  check('I20', took <= limit, `it ended ${took} ms after the abort, ${limit} are allowed`)
}

function checkPromptHook({ check, setup, watched }: Session, run: Run): void {
  const { start, promptHooks, abortedAt, lost } = run
  const isPrompt = start.trigger === 'prompt'
  if (!isPrompt) check('I27', promptHooks === 0, 'the prompt hook ran for no prompt')
  if (!isPrompt || !setup.hooks.onUserPromptSubmit || !watched || lost || abortedAt !== null) return
  check('I27', promptHooks === 1, `the prompt hook ran ${promptHooks} times`)
}
