/** Continues a log as the runtime does, with the kernel alone: without clock, chance and effects. */
import { decide } from './decide.ts'
import type { Draft } from './draft.ts'
import type { Effect } from './effect.ts'
import { type AgentEvent, type Fact, isDurable } from './events.ts'
import { fold } from './fold.ts'
import type { KernelConfig } from './kernel-config.ts'
import { stateAfter } from './log.fixtures.ts'
import type { State } from './state.ts'

/** A log to which facts are added. */
export interface Writer {
  readonly log: readonly AgentEvent[]
  readonly state: () => State
  readonly write: (...drafts: readonly (Draft | Fact)[]) => void
  /** Writes what is due until nothing is, and returns the effects that are wanted then. */
  readonly settle: () => readonly Effect[]
}

/** Continues a log. Ids and times are counted by the length of the log. */
export function createWriter(before: readonly AgentEvent[], config: KernelConfig): Writer {
  const log = [...before]
  let state = stateAfter(log)

  function append(fact: Fact): void {
    const { run, nextSeq, sub } = state
    const order = isDurable(fact) ? { seq: nextSeq } : { seq: nextSeq - 1, sub: sub + 1 }
    const event: AgentEvent = {
      v: 1,
      ...order,
      ts: 1000 + log.length,
      sessionId: state.sessionId,
      runId: fact.type === 'agent_start' ? `run_${nextSeq}` : (run?.runId ?? null),
      turn: (run?.turns ?? 0) + (fact.type === 'turn_start' ? 1 : 0),
      ...fact,
    }
    log.push(event)
    state = fold(state, event)
  }

  function write(...drafts: readonly (Draft | Fact)[]): void {
    for (const draft of drafts) for (const fact of complete(draft, state)) append(fact)
  }

  return {
    log,
    state: () => state,
    write,
    settle: () => {
      for (let steps = 0; steps < 1000; steps += 1) {
        const { facts, effects } = decide(state, config)
        if (facts.length === 0) return effects
        write(...facts)
      }
      throw new Error('The kernel never comes to rest.')
    },
  }
}

function complete(draft: Draft | Fact, { nextSeq, head }: State): readonly Fact[] {
  switch (draft.type) {
    case 'whole_message': {
      const place = { id: `msg_${nextSeq}`, parentId: head?.message.id ?? null }
      const message = { ...draft.message, ...place }
      return [
        { type: 'message_start', message },
        { type: 'message_end', message },
      ]
    }
    case 'agent_end':
      return [{ durationMs: nextSeq, ...draft }]
    case 'auto_retry_start': {
      if (!('delay' in draft)) return [draft]
      const { delay, ...fact } = draft
      return [{ ...fact, delayMs: 'exactly' in delay ? delay.exactly : delay.below }]
    }
    case 'tool_execution_end':
      return [{ timing: { queuedMs: 1, startMs: 2, runMs: nextSeq }, ...draft }]
    default:
      return [draft]
  }
}
