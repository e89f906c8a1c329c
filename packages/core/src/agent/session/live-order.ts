import { type AgentEvent, type EventOf, isDurable } from '../../kernel/events.ts'
import type { State } from '../../kernel/state.ts'
import type { Said } from './wish.ts'

/** Puts events that come by two ways, those of the storage and those that are not stored, into one order. */
export interface LiveOrder {
  readonly add: (events: readonly AgentEvent[]) => void
  /** Adds what there was before the first one: it counts if the log stands, or comes to stand, just there. */
  readonly catchUp: (before: CatchUp) => void
}

type CatchUp = Pick<Extract<Said, { readonly say: 'catch_up' }>, 'events' | 'seq' | 'sub'>

/**
 * An event that is not stored counts only right after the one before it: one that comes too early waits, and one that
 * comes too late or after a gap is left out. The next stored event makes up for those.
 */
export function createLiveOrder(
  state: () => State,
  replay: (events: readonly AgentEvent[]) => void,
): LiveOrder {
  let early: AgentEvent[] = []
  let before: CatchUp | null = null

  function isNext(event: AgentEvent): boolean {
    const { nextSeq, sub } = state()
    if (isDurable(event)) return event.seq === nextSeq
    return event.seq === nextSeq - 1 && event.sub === sub + 1
  }

  function catchUpNow(): void {
    if (!before || state().nextSeq <= before.seq) return
    const { events, seq, sub } = before
    before = null
    if (state().nextSeq === seq + 1 && state().sub <= sub) replay(events)
  }

  /** No stored event says that a call runs, so this counts for as long as the call is open. */
  function addLate(event: EventOf<'tool_running'>): void {
    const { batch, nextSeq, sub } = state()
    const isOpen = batch?.calls.some(({ toolCallId }) => toolCallId === event.toolCallId)
    if (isOpen) replay([{ ...event, seq: nextSeq - 1, sub }])
  }

  return {
    catchUp: (given) => {
      before = given
      catchUpNow()
    },
    add: (events) => {
      for (const event of events) {
        if (isNext(event)) replay([event])
        else if (event.seq >= state().nextSeq) early.push(event)
        else if (event.type === 'tool_running') addLate(event)
        if (!isDurable(event)) continue
        catchUpNow()
        const waiting = early
        early = waiting.filter(({ seq }) => seq >= state().nextSeq)
        for (const one of waiting) if (isNext(one)) replay([one])
      }
    },
  }
}
