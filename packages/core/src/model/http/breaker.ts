import { untilAborted } from '../../internal/abort.ts'
import type { RunErrorKind } from '../../kernel/run-error.ts'
import { ModelError } from '../port.ts'

/** Failures in a row, over all sessions, after which a server gets a pause. */
const mostFailures = 5

/** Milliseconds of a pause, unless the server asks for another. */
const pauseMs = 30_000

/** How a request ended, for the breaker. A stopped request says nothing about the server. */
export type Outcome = RunErrorKind | 'answered' | 'stopped'

/** A request that may be sent. */
interface Passage {
  /** The server answers. Requests that wait for the outcome may go: they need not wait for the end of the answer. */
  readonly answered: () => void
  /** The request is over. Called once. `retryAfterMs`: how long the server asks for a pause. */
  readonly leave: (outcome: Outcome, retryAfterMs?: number) => void
}

/** A circuit breaker: keeps many sessions from storming a server that is down. */
export interface Breaker {
  /**
   * Asks to send a request. In a pause it throws a retryable `ModelError` with the rest of it as
   * `retryAfterMs`. After a pause one request goes first, and the others wait for its outcome. Throws
   * `signal.reason` if the signal is aborted before.
   */
  readonly enter: (host: string, signal: AbortSignal) => Promise<Passage>
}

/** `now`: milliseconds that never jump back. `onReadable`: called when the page could read an answer of the server. */
export function createBreaker(now: () => number, onReadable: () => void = () => {}): Breaker {
  let failures = 0
  let openUntil = 0
  let probe: Promise<void> | null = null

  function note(outcome: Outcome, retryAfterMs = pauseMs): void {
    if (outcome === 'stopped') return
    if (!inconclusive.includes(outcome)) onReadable()
    failures = outages.includes(outcome) ? failures + 1 : 0
    if (failures >= mostFailures) openUntil = now() + retryAfterMs
  }

  return {
    enter: async (host, signal) => {
      while (probe) await untilAborted(probe, signal)
      if (failures < mostFailures) return { answered: () => {}, leave: note }
      const rest = openUntil - now()
      if (rest > 0) throw pausing(host, rest)
      let release = (): void => {}
      const mine = new Promise<void>((resolve) => {
        release = resolve
      })
      probe = mine
      const pass: Passage['leave'] = (outcome, retryAfterMs) => {
        note(outcome, retryAfterMs)
        if (probe === mine) probe = null
        release()
      }
      return { answered: () => pass('answered'), leave: pass }
    },
  }
}

/** Breakers by their address and key. */
export type Breakers = Map<string, Breaker>

const breakers: Breakers = new Map()
const readableOrigins = new Set<string>()

/** How many breakers are kept: keys may change with every request. */
const mostBreakers = 32

/**
 * The breaker of an address and a key: all models of the page that use both share one. Two addresses of one origin may
 * be two providers behind one proxy, and a server may ask for a pause because of one key. `all`: those of one model, if
 * it is not asked by the platform's `fetch`.
 */
export function breakerOf(baseURL: string, key: string, all: Breakers = breakers): Breaker {
  const name = `${baseURL} ${key}`
  const known = all.get(name)
  if (known) return known
  for (const oldest of all.keys()) if (all.size >= mostBreakers) all.delete(oldest)
  const breaker = createBreaker(
    () => performance.now(),
    () => void readableOrigins.add(new URL(baseURL).origin),
  )
  all.set(name, breaker)
  return breaker
}

/** Whether this page could ever read an answer of a server: if so, CORS allows it. */
export function couldRead(baseURL: string): boolean {
  return readableOrigins.has(new URL(baseURL).origin)
}

/** Forgets all failures and answers, for tests that fail on purpose. */
export function forgetFailures(): void {
  breakers.clear()
  readableOrigins.clear()
}

const outages: readonly Outcome[] = ['network', 'timeout', 'overloaded', 'rate_limited']

/** Failures that do not show whether the page may read answers of the server. */
const inconclusive: readonly Outcome[] = ['network', 'cors', 'timeout', 'auth']

function pausing(host: string, ms: number): ModelError {
  return new ModelError({
    kind: 'overloaded',
    message: `${host} failed ${mostFailures} times in a row. Wait ${Math.ceil(ms / 1000)} seconds.`,
    retryable: true,
    retryAfterMs: Math.ceil(ms),
  })
}
