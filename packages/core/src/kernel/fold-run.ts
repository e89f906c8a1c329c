import type { EventOf } from './events.ts'
import { cancelCalls } from './fold-batch.ts'
import { noUsage } from './message.ts'
import type { Answer, Run, State } from './state.ts'

type RunEvent = EventOf<'agent_start' | 'agent_end' | 'turn_start' | 'turn_end' | 'abort_requested'>

/** What an event says about the run and its turns. */
export function foldRun(state: State, event: RunEvent): State {
  switch (event.type) {
    case 'agent_start':
      return { ...state, run: startRun(state, event) }
    case 'agent_end':
      return endRun(state, event)
    case 'turn_start':
      return withRun(state, (run) => ({
        ...run,
        turns: run.turns + 1,
        countedTurns: run.countedTurns + 1,
        step: { kind: 'collecting' },
      }))
    case 'turn_end':
      return withRun(state, (run) => ({
        ...run,
        step: { kind: 'between_turns', last: lastAnswer(run) },
      }))
    case 'abort_requested':
      return abortRun(state, event)
  }
}

/** Changes the run, if there is one. */
export function withRun(state: State, change: (run: Run) => Run): State {
  return state.run ? { ...state, run: change(state.run) } : state
}

function startRun(state: State, event: EventOf<'agent_start'>): Run {
  return {
    runId: event.runId ?? '',
    bootId: state.bootId,
    maxTurns: event.maxTurns,
    pending: event.input ? [event.input] : [],
    turns: 0,
    countedTurns: 0,
    usage: noUsage,
    abort: null,
    step: { kind: 'between_turns', last: null },
  }
}

function endRun(state: State, event: EventOf<'agent_end'>): State {
  const { runId, reason, turns, usage, error } = event
  const lastRun = { runId: runId ?? '', reason, turns, usage, ...(error && { error }) }
  return { ...state, run: null, lastRun }
}

function abortRun(state: State, { by, reason }: EventOf<'abort_requested'>): State {
  const { run, batch } = state
  if (!run) return state
  const abort = reason === undefined ? { by } : { by, reason }
  return { ...state, run: { ...run, abort }, batch: batch && cancelCalls(batch, by) }
}

function lastAnswer({ step }: Run): Answer | null {
  return step.kind === 'answered' ? step.answer : null
}
