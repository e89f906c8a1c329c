import type { DurableEvent } from '../kernel/events.ts'
import { fold } from '../kernel/fold.ts'
import type { State } from '../kernel/state.ts'
import { StorageError } from '../storage/port.ts'

/** What a stored log says up to its first bad event. */
export interface ReadLog {
  readonly events: readonly DurableEvent[]
  /** After these events. */
  readonly state: State
  /** Why the log cannot be continued. */
  readonly problem: StorageError | null
}

/** Reads the events of a stored log that follow a state. A storage may give anything; without a list this throws. */
export function readLog(before: State, log: readonly DurableEvent[]): ReadLog {
  const isList: boolean = Array.isArray(log)
  if (!isList) throw new StorageError('unknown', 'The stored session is no list of events.')
  let state = before
  for (const [index, event] of log.entries()) {
    const next = foldStored(state, event)
    if (!next) {
      const problem = event?.v > 1 ? newerThan(state.nextSeq) : damagedAt(state.nextSeq)
      return { events: log.slice(0, index), state, problem }
    }
    state = next
  }
  return { events: log, state, problem: null }
}

/** The state after a stored event, which may be anything; `null` if it cannot be the next one. */
export function foldStored(state: State, event: DurableEvent): State | null {
  try {
    if (!isNext(event, state.nextSeq)) return null
    const next = fold(state, event)
    // An event that need not be stored is not counted.
    return next.nextSeq === state.nextSeq + 1 ? next : null
  } catch {
    return null
  }
}

const roles: readonly string[] = ['user', 'assistant', 'toolResult', 'system']

function isNext(event: DurableEvent, seq: number): boolean {
  if (event.v !== 1 || event.seq !== seq) return false
  if (seq === 0 && event.type !== 'session_opened') return false
  const isOfMessage = event.type === 'message_start' || event.type === 'message_end'
  return !isOfMessage || roles.includes(event.message.role)
}

function damagedAt(seq: number): StorageError {
  return new StorageError(
    'damaged',
    `The stored session is damaged at event ${seq}, and is shown up to there. Nothing of it was changed. Begin a new session to go on.`,
  )
}

function newerThan(seq: number): StorageError {
  return new StorageError(
    'newer',
    `The stored session was written by a newer version of this app from event ${seq} on, and is shown up to there. Reload this page to get that version.`,
  )
}
