import type { AgentEvent } from '../../kernel/events.ts'

/** Where an event stands in a session, also one that is not stored. */
export interface Place {
  readonly seq: number
  readonly sub: number
}

export function placeOf({ seq, sub = 0 }: AgentEvent): Place {
  return { seq, sub }
}

export function isAfter(one: Place, other: Place): boolean {
  return one.seq > other.seq || (one.seq === other.seq && one.sub > other.sub)
}
