import { defined } from '../internal/defined.ts'
import type { EventOf } from './events.ts'
import { cancelCalls } from './fold-batch.ts'
import { answerAt, answerOf, lastShownIn } from './head.ts'
import { addUsage, noUsage } from './message.ts'
import { type Answer, type Batch, lastAnswerOf, type Run, type State, type Step } from './state.ts'

type RunEvent = EventOf<
  | 'agent_start'
  | 'agent_end'
  | 'turn_start'
  | 'turn_end'
  | 'abort_requested'
  | 'input_rejected'
  | 'loop_detected'
  | 'output_checked'
  | 'auto_retry_start'
  | 'auto_retry_end'
>

/** The state after an event about the run and its turns. */
export function foldRun(state: State, event: RunEvent): State {
  switch (event.type) {
    case 'agent_start':
      return startRun(state, event)
    case 'agent_end':
      return endRun(state, event)
    case 'turn_start':
      return withRun(state, startTurn)
    case 'turn_end':
      return withRun(state, (run) =>
        withStep(run, { kind: 'between_turns', last: lastAnswerOf(run) }),
      )
    case 'abort_requested':
      return abortRun(state, event)
    case 'input_rejected':
      return withRun(state, (run) => ({ ...run, rejected: event.reason, pending: [] }))
    case 'loop_detected':
      return withRun(state, (run) => ({ ...run, isLooping: run.isLooping || event.aborted }))
    case 'output_checked': {
      const { messageId, problem, failed } = event
      const checked = { messageId, ...defined({ problem, failed }) }
      return withRun(state, (run) => ({ ...run, checked }))
    }
    case 'auto_retry_start':
      return withRun(state, (run) => startRetry(run, event))
    case 'auto_retry_end':
      return withRun(state, endRetry)
  }
}

/** Changes the run, if there is one. */
export function withRun(state: State, change: (run: Run) => Run): State {
  return state.run ? { ...state, run: change(state.run) } : state
}

/** The run in another step. */
export function withStep(run: Run, step: Step): Run {
  return { ...run, step }
}

function startRun(state: State, event: EventOf<'agent_start'>): State {
  const { batch } = state
  const { output = null } = event
  // An answer that was never checked, or did not fit, is checked before the model is asked again.
  const found = output && !event.input ? answerAt(state.head) : null
  const run: Run = {
    runId: event.runId ?? '',
    trigger: event.trigger,
    bootId: state.bootId,
    startedAt: event.ts,
    maxTurns: event.maxTurns,
    toolExecution: event.toolExecution,
    pending: event.input ? [event.input] : [],
    rejected: null,
    turns: 0,
    countedTurns: 0,
    usage: noUsage,
    turnUsage: noUsage,
    hasUnknownCost: false,
    abort: null,
    retry: null,
    attempt: 1,
    compactedInTurn: 0,
    repeats: [],
    isLooping: false,
    output,
    repairs: 0,
    checked: null,
    step: { kind: 'between_turns', last: batch ? carriedAnswer(batch) : found },
  }
  // A new prompt, instead of answers to the open calls, cancels them.
  const goesOn = event.trigger === 'continue' || event.trigger === 'resume'
  return { ...state, run, batch: batch && (goesOn ? batch : cancelUnanswered(batch)) }
}

// Cancels the open calls except those that the page has answered.
function cancelUnanswered(batch: Batch): Batch {
  const given = cancelCalls(batch, 'user')
  return {
    ...given,
    calls: given.calls.map((call, at) => (call.staged ? (batch.calls[at] ?? call) : call)),
  }
}

/** The answer whose calls are open when a run starts. */
export function carriedAnswer({ messageId, stopReason, calls }: Batch): Answer {
  const toolCallIds = calls.map((call) => call.toolCallId)
  return answerOf(messageId, stopReason, toolCallIds)
}

function startTurn(run: Run): Run {
  return {
    ...run,
    turns: run.turns + 1,
    countedTurns: run.countedTurns + 1,
    turnUsage: noUsage,
    retry: null,
    attempt: 1,
    step: { kind: 'collecting' },
  }
}

function endRun(state: State, event: EventOf<'agent_end'>): State {
  const { runId, reason, turns, usage, durationMs, error } = event
  const lastRun = {
    ...{ runId: runId ?? '', reason, turns, usage, durationMs, ...defined({ error }) },
    messageId: lastShownIn(state.head),
    previous: state.lastRun,
  }
  const { output = null, checked } = state.run ?? {}
  const isFit = reason === 'stop' && checked?.problem === undefined
  return {
    ...state,
    run: null,
    lastRun,
    lastOutput: output && { request: output, isMissing: !isFit },
  }
}

function abortRun(state: State, { by, reason }: EventOf<'abort_requested'>): State {
  const { run, batch } = state
  if (!run) return state
  const abort = { by, ...defined({ reason }) }
  return { ...state, run: { ...run, abort }, batch: batch && cancelCalls(batch, by) }
}

function startRetry(run: Run, event: EventOf<'auto_retry_start'>): Run {
  const { attempt, maxAttempts, delayMs, ts } = event
  const failed = lastAnswerOf(run)
  const seen = (run.retry?.seen ?? 0) + (failed?.wasSeen ? 1 : 0)
  return {
    ...run,
    attempt: run.attempt + 1,
    retry: { seen, pending: { attempt, maxAttempts, at: ts + delayMs } },
    step: { kind: 'retrying', delayMs },
  }
}

function endRetry(run: Run): Run {
  return { ...run, retry: run.retry && { ...run.retry, pending: null } }
}

/** Counts what an answer used, for its turn and for the run. */
export function countUsage(run: Run, answer: Answer): Run {
  return {
    ...run,
    usage: addUsage(run.usage, answer.usage),
    turnUsage: addUsage(run.turnUsage, answer.usage),
    hasUnknownCost:
      run.hasUnknownCost || (answer.usage !== noUsage && answer.usage.cost === undefined),
  }
}
