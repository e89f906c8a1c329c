import type { Environment } from '../internal/environment.ts'
import type { Draft } from '../kernel/draft.ts'
import { type AgentEvent, type Fact, isDurable } from '../kernel/events.ts'
import type { State } from '../kernel/state.ts'
import type { Stopwatch } from './stopwatch.ts'

/** Adds to a draft what a pure kernel cannot make: durations and chance. */
export function completeDraft(
  draft: Exclude<Draft, { readonly type: 'whole_message' }>,
  stopwatch: Stopwatch,
  environment: Environment,
): Fact {
  switch (draft.type) {
    case 'agent_end':
      return { ...draft, durationMs: stopwatch.runMs() }
    case 'tool_execution_end':
      return { ...draft, timing: stopwatch.timingOf(draft.toolCallId) }
    case 'auto_retry_start': {
      const { delay, ...fact } = draft
      const delayMs =
        'exactly' in delay ? delay.exactly : Math.round(environment.random() * delay.below)
      return { ...fact, delayMs }
    }
    default:
      return draft
  }
}

/** Puts a fact into its envelope: its place in the log, its time, and the agent and run it belongs to. */
export function envelop(fact: Fact, state: State, { ts, runId, order, origin }: Stamp): AgentEvent {
  const { run, sessionId } = state
  const { nextSeq, sub } = order
  const place = isDurable(fact) ? { seq: nextSeq } : { seq: nextSeq - 1, sub: sub + 1 }
  const turn = (run?.turns ?? 0) + (fact.type === 'turn_start' ? 1 : 0)
  return { v: 1, ...place, ts, sessionId, runId, turn, ...origin, ...fact }
}

interface Stamp {
  readonly ts: number
  /** The run the fact belongs to; `null` outside one. */
  readonly runId: string | null
  /** The number of the next event, and of ephemeral ones since the last. */
  readonly order: { readonly nextSeq: number; readonly sub: number }
  /** The sub-agent that the fact belongs to and the follower's command that caused it, if any. */
  readonly origin: Pick<AgentEvent, 'agentId' | 'parentToolCallId' | 'wishId'>
}
