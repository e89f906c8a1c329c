import type { IncomingHttpHeaders } from 'node:http'
import type { Protocol } from './exchange.ts'

/** One request, as it came, and what became of its answer. */
export interface SeenRequest {
  readonly protocol: Protocol
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
  /** Which of the vendor's rules it breaks. */
  readonly problems: readonly string[]
  /** `closed`: the connection was gone before the answer was whole. */
  state: 'open' | 'finished' | 'closed'
}

/** A request to an address that stands for nothing. */
export interface Stray {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
}

/** What one test asked, apart from all others. */
export interface Visit {
  readonly requests: SeenRequest[]
  readonly strays: Stray[]
  /** How often the browser asked whether it may ask. */
  preflights: number
  /** Called when the reader says that it saw something. */
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
