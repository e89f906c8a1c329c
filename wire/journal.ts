import type { IncomingHttpHeaders } from 'node:http'
import type { Protocol } from './exchange.ts'

/** One request, as it came, and how its answer ended. */
export interface SeenRequest {
  readonly protocol: Protocol
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
  /** The vendor's rule that it breaks. */
  readonly problems: readonly string[]
  /** `closed`: the connection was gone before the answer was whole. */
  state: 'open' | 'finished' | 'closed'
}

/** A request to an unknown address. */
export interface Stray {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
}

/** The requests of one test. */
export interface Visit {
  readonly requests: SeenRequest[]
  readonly strays: Stray[]
  /** The number of preflights. */
  preflights: number
  /** Called when the reader reports that it has seen what was sent. */
  readonly waiting: Set<() => void>
}

/** The visits of a server, by name. */
export function createJournal(): (name: string) => Visit {
  const visits = new Map<string, Visit>()
  return (name) => {
    const known = visits.get(name)
    if (known) return known
    const visit: Visit = { requests: [], strays: [], preflights: 0, waiting: new Set() }
    visits.set(name, visit)
    return visit
  }
}
