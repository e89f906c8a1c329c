import type { AgentEvent, DurableEvent, EventOf } from '../../kernel/events.ts'
import { isLost, openCall, type State } from '../../kernel/state.ts'
import { hasEnded } from '../../kernel/tool-call.ts'
import { agentIn } from './agent-in.ts'
import { isAfter, type Place, placeOf } from './live-place.ts'
import { newIn } from './repeated-answer.ts'
import type { Said } from './wish.ts'

/** Puts the events of the storage and the posted ephemeral ones into one order. */
export interface LiveOrder {
  /** Adds events of the storage. Events that are there already are left out. */
  readonly addStored: (events: readonly DurableEvent[]) => void
  /**
   * Adds a posted message. It waits for `catchUp` if a message before it is missing, before the first `catchUp`, and
   * between the pieces of one.
   */
  readonly addLive: (posted: SaidAs<'live'>) => void
  /** Adds the notices of what was posted before, as far as they still count. */
  readonly catchUp: (before: SaidAs<'catch_up'>) => void
}

type SaidAs<Say extends Said['say']> = Extract<Said, { readonly say: Say }>

export interface LiveOrderOptions {
  readonly state: () => State
  readonly replay: (events: readonly AgentEvent[]) => void
  /** Called when a posted message is missing, to ask for a `catchUp`. */
  readonly onGap: () => void
}

interface LiveEvent {
  readonly event: AgentEvent
  /** Whether the event repeats what there is, and is not new. */
  readonly isRepeated: boolean
}

/** After this many more messages a gap is reported again: the first report may be lost, too. */
const patience = 20

/**
 * An ephemeral event belongs after the durable one that it names, and waits for that. If the next durable event came
 * first, it is added late, unless it does not matter any more.
 */
export function createLiveOrder({ state, replay, onGap }: LiveOrderOptions): LiveOrder {
  let early: LiveEvent[] = []
  let seen: Place = { seq: -1, sub: 0 }
  const gap = createGap(onGap)
  const attempts = createFailedAttempts()
  const count = createLineCount()
  // The number of the event up to which the log holds the text of the answer that is being written.
  let covered = state().nextSeq

  function add(event: AgentEvent, isRepeated = false): void {
    const { nextSeq, sub } = state()
    const last = nextSeq - 1
    if (event.seq > last) early.push({ event, isRepeated })
    else if (event.seq === last) replay([shown({ event, isRepeated }, state())])
    else if (countsLate(event, state(), covered) && !attempts.said(event))
      replay([shown({ event: { ...event, seq: last, sub }, isRepeated }, state())])
  }

  function note(event: DurableEvent): void {
    if (event.type === 'message_checkpoint') covered = event.seq
    attempts.note(event)
    if (event.type !== 'session_opened') return
    // The owner before posts no more.
    seen = { seq: event.seq, sub: 0 }
    early = []
    gap.reset()
  }

  function addLive(posted: SaidAs<'live'>): void {
    if (gap.isOpen() || isAfter(posted.after, seen)) {
      gap.keep(posted)
      return
    }
    for (const event of posted.events) {
      if (!isAfter(placeOf(event), seen)) continue
      seen = placeOf(event)
      add(event)
    }
  }

  function catchUp({ at, events, after, upTo }: SaidAs<'catch_up'>): void {
    const isKnown = !gap.isOpen() && !isAfter(at, seen)
    // Without the piece before it, this one cannot be placed: the owner says all of them again.
    if (isKnown || (after && isAfter(after, seen))) return
    const news = count(events, after).filter((event) => isAfter(placeOf(event), seen))
    if (!upTo || isAfter(upTo, seen)) seen = upTo ?? at
    for (const event of news) add({ ...event, ...at }, true)
    for (const posted of gap.read({ isWhole: !upTo })) addLive(posted)
  }

  return {
    addStored: (events) => {
      for (const event of events) {
        if (event.seq !== state().nextSeq) continue
        replay([event])
        note(event)
        const next = early.filter((one) => one.event.seq === event.seq)
        early = early.filter((one) => one.event.seq > event.seq)
        for (const one of next) replay([shown(one, state())])
      }
    },
    addLive,
    catchUp,
  }
}

/** The messages that wait because one before them is missing. It is open until the first `catchUp` is whole. */
function createGap(onGap: () => void) {
  let missed: number | null = 0
  /** They may have overtaken the next `catchUp`, or come between its pieces. */
  let waiting: SaidAs<'live'>[] = []
  /** Whether more pieces of a `catchUp` are to come. Then all messages are kept, as no other one repeats them. */
  let isPartial = false
  return {
    isOpen: (): boolean => missed !== null,
    keep: (posted: SaidAs<'live'>): void => {
      missed = (missed ?? -1) + 1
      waiting.push(posted)
      if (missed % patience > 0) return
      if (!isPartial) waiting = waiting.slice(-patience)
      onGap()
    },
    /** To be called after each piece of a `catchUp`. Returns what can be read then: all, or nothing yet. */
    read: ({ isWhole }: { readonly isWhole: boolean }): readonly SaidAs<'live'>[] => {
      isPartial = !isWhole
      missed = isWhole ? null : 0
      return isWhole ? waiting.splice(0) : []
    },
    reset: (): void => {
      missed = 0
      isPartial = false
      waiting = []
    },
  }
}

/** Remembers which attempts have failed: how far one said that it was does not count any more. */
function createFailedAttempts() {
  /** The number of the event that said so of a call last. */
  const failedAt = new Map<string, number>()
  return {
    note: (event: DurableEvent): void => {
      if (event.type === 'tool_execution_end') failedAt.delete(event.toolCallId)
      if (event.type === 'auto_retry_start' && event.toolCallId !== undefined)
        failedAt.set(event.toolCallId, event.seq)
    },
    said: (event: AgentEvent): boolean =>
      event.type === 'tool_progress' && event.seq < (failedAt.get(event.toolCallId) ?? 0),
  }
}

function shown({ event, isRepeated }: LiveEvent, state: State): AgentEvent {
  if (!isRepeated) return event
  return event.type === 'tool_log' ? newLines(event, state) : newIn(event, state)
}

/**
 * Lines that are left out are counted from the first line of their call on, through all pieces: some of them may be here
 * already.
 */
function createLineCount() {
  let totals = new Map<string, number>()
  return (events: readonly AgentEvent[], after: Place | undefined): readonly AgentEvent[] => {
    if (!after) totals = new Map()
    return events.map((event) => {
      if (event.type !== 'tool_log') return event
      const dropped = (totals.get(event.toolCallId) ?? 0) + event.dropped
      totals.set(event.toolCallId, dropped + event.lines.length)
      return { ...event, dropped }
    })
  }
}

function newLines(event: EventOf<'tool_log'>, state: State): AgentEvent {
  const agent = agentIn(state, event.agentId)
  const logs = agent && openCall(agent, event.toolCallId)?.logs
  const known = logs ? logs.dropped + logs.lines.length : 0
  return { ...event, dropped: Math.max(0, event.dropped - known) }
}

/** Whether a late event still matters: its subject is open, and no durable event has replaced it. */
function countsLate(event: AgentEvent, state: State, covered: number): boolean {
  const { agentId } = event
  const agent = agentIn(state, agentId)
  const run = agent?.run
  // An owner that does not know yet that it was replaced still posts how its run goes on.
  if (!run || run.runId !== event.runId || isLost(agent, run)) return false
  if (event.type === 'message_update') {
    const { step } = run
    const isOpen = step.kind === 'asking' && step.message.id === event.messageId
    return isOpen && event.seq >= covered
  }
  const call = 'toolCallId' in event && openCall(agent, event.toolCallId ?? '')
  if (!call || hasEnded(call)) return false
  // Notices of an earlier attempt do not count.
  return event.seq >= (call.retry?.seq ?? 0)
}
