import { untilAborted } from '../../internal/abort.ts'
import type { RunErrorKind } from '../../kernel/run-error.ts'
import { ModelError } from '../port.ts'

/** So many failures in a row, of whatever session, and a server gets a pause. */
const mostFailures = 5

/** Milliseconds of a pause. */
const pauseMs = 30_000

/** What a request tells the breaker when it is over. A stopped one tells nothing. */
export type Outcome = RunErrorKind | 'answered' | 'stopped'

/** Keeps many sessions from storming a server that is down. */
export interface Breaker {
  /**
   * Asks to send a request, and gives what to call with its outcome, once. In a pause it throws a retryable
   * `ModelError` with the rest of it as `retryAfterMs`. After a pause one request goes first, and the
   * others wait to hear how it went. Throws `signal.reason` if the signal is aborted before.
   */
  readonly enter: (host: string, signal: AbortSignal) => Promise<(outcome: Outcome) => void>
  /** Whether this page could ever read something that the server said. */
  readonly wasHeard: () => boolean
}

/** `now`: milliseconds that never jump back. */
export function createBreaker(now: () => number): Breaker {
  let failures = 0
  let openUntil = 0
  let probe: Promise<void> | null = null
  let heard = false

  function note(outcome: Outcome): void {
    if (outcome === 'stopped') return
    heard ||= !unheard.has(outcome)
    failures = isOutage(outcome) ? failures + 1 : 0
    if (failures >= mostFailures) openUntil = now() + pauseMs
  }

  return {
    wasHeard: () => heard,
    enter: async (host, signal) => {
      while (probe) await untilAborted(probe, signal)
      if (failures < mostFailures) return note
      const rest = openUntil - now()
      if (rest > 0) throw pausing(host, rest)
      let leave = (): void => {}
      probe = new Promise((resolve) => {
        leave = resolve
      })
      return (outcome) => {
        note(outcome)
        probe = null
        leave()
      }
    },
  }
}

/** A breaker on the platform's clock. */
export function createOwnBreaker(): Breaker {
  return createBreaker(() => performance.now())
}

const breakers = new Map<string, Breaker>()

/** The breaker of a server: all models of the page that talk to it share one. */
export function breakerOf(baseURL: string): Breaker {
  const { origin } = new URL(baseURL)
  const known = breakers.get(origin)
  if (known) return known
  const breaker = createOwnBreaker()
  breakers.set(origin, breaker)
  return breaker
}

/** Forgets what failed, for tests that fail on purpose. */
export function forgetFailures(): void {
  breakers.clear()
}

function isOutage(outcome: Outcome): boolean {
  return outages.has(outcome)
}

const outages: ReadonlySet<Outcome> = new Set<Outcome>([
  'network',
  'timeout',
  'overloaded',
  'rate_limited',
])

/** What says nothing about whether the page may read what the server says. */
const unheard: ReadonlySet<Outcome> = new Set<Outcome>(['network', 'cors', 'timeout', 'auth'])

function pausing(host: string, ms: number): ModelError {
  const seconds = Math.ceil(ms / 1000)
  return new ModelError({
    kind: 'overloaded',
    message: `${host} failed ${mostFailures} times in a row and is left alone for ${seconds} seconds. Wait, then try again.`,
    retryable: true,
    retryAfterMs: Math.ceil(ms),
  })
}
