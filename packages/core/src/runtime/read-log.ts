import type { DurableEvent } from '../kernel/events.ts'
import { fold } from '../kernel/fold.ts'
import type { State } from '../kernel/state.ts'
import { StorageError } from '../storage/port.ts'
import { problemOfPlace } from './event-place.ts'
import { damaged, readStoredEvent } from './read-stored-event.ts'

/** What a stored log says up to its first bad event. */
export interface ReadLog {
  /** The events, in the form of this version. */
  readonly events: readonly DurableEvent[]
  /** The state after these events. */
  readonly state: State
  /** Why the log cannot be continued. */
  readonly problem: StorageError | null
}

/**
 * Reads the events of a stored log that follow a state. A storage may return any value; if it is no list, this throws.
 */
export function readLog(before: State, log: readonly unknown[]): ReadLog {
  const isList: boolean = Array.isArray(log)
  if (!isList) throw new StorageError('unknown', 'The stored session is no list of events.')
  const events: DurableEvent[] = []
  let state = before
  for (const value of log) {
    const next = readNext(state, value)
    if (next instanceof StorageError) return { events, state, problem: next }
    events.push(next.event)
    state = next.state
  }
  return { events, state, problem: null }
}

/** The state after a stored event, or why this event cannot come next. The stored value may be anything. */
export function foldStored(before: State, value: unknown): State | StorageError {
  const next = readNext(before, value)
  return next instanceof StorageError ? next : next.state
}

interface Next {
  readonly event: DurableEvent
  readonly state: State
}

function readNext(before: State, value: unknown): Next | StorageError {
  const event = readStoredEvent(value, before.nextSeq)
  if (event instanceof StorageError) return event
  const problem = problemOfPlace(before, event)
  if (problem !== null) return damaged(event.seq, problem, event.type)
  return { event, state: fold(before, event) }
}
