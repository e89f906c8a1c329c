import type { AgentEvent } from '../../kernel/events.ts'
import { isDurable } from '../../kernel/events.ts'
import type { State } from '../../kernel/state.ts'

/** Puts events that come by two ways, those of the storage and those that are not stored, into one order. */
export interface LiveOrder {
  readonly add: (events: readonly AgentEvent[]) => void
}

/**
 * An event that is not stored counts only right after the one before it: one that comes too early waits, and one that
 * comes too late or after a gap is left out. The next stored event makes up for those.
 */
export function createLiveOrder(
  state: () => State,
  replay: (events: readonly AgentEvent[]) => void,
): LiveOrder {
  let early: AgentEvent[] = []

  function isNext(event: AgentEvent): boolean {
    const { nextSeq, sub } = state()
    if (isDurable(event)) return event.seq === nextSeq
    return event.seq === nextSeq - 1 && event.sub === sub + 1
  }

  return {
    add: (events) => {
      for (const event of events) {
        if (isNext(event)) replay([event])
        else if (event.seq >= state().nextSeq) early.push(event)
        if (!isDurable(event) || early.length === 0) continue
        const waiting = early
        early = waiting.filter(({ seq }) => seq >= state().nextSeq)
        for (const one of waiting) if (isNext(one)) replay([one])
      }
    },
  }
}
