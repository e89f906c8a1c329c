import type { DurableEvent } from '../kernel/events.ts'
import { fold } from '../kernel/fold.ts'
import { emptyState, type State } from '../kernel/state.ts'

/** What a stored log says, or the sentence why it cannot be continued, which names the first bad event. */
export type ReadLog = { readonly state: State } | { readonly problem: string }

/** Reads a stored log from the beginning. A storage may give anything. */
export function readLog(sessionId: string, log: readonly DurableEvent[]): ReadLog {
  const isList: boolean = Array.isArray(log)
  if (!isList) return { problem: 'The stored session is no list of events.' }
  if (log.some((event) => event?.v > 1)) {
    const problem = 'the stored session was written by a newer version: reload the page to get it'
    return { problem }
  }
  let state = emptyState(sessionId)
  for (const [seq, event] of log.entries()) {
    const next = foldStored(state, event)
    if (!next) return damagedAt(seq)
    state = next
  }
  return { state }
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

function damagedAt(seq: number): ReadLog {
  return {
    problem: `The stored session is damaged at event ${seq}. Its events are still in the storage: keep what read() gives, and begin a new session.`,
  }
}
