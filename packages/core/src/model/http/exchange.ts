import { untilAborted, waitedTooLong } from '../../internal/abort.ts'
import { ModelError } from '../port.ts'
import type { Outcome } from './breaker.ts'
import { diagnose } from './diagnose.ts'
import type { Endpoint } from './endpoint.ts'
import { cutOff, Failed } from './failures.ts'

/**
 * How one provider is asked. Any error that is neither a `ModelError` nor `Failed` counts as a lost connection.
 */
export interface Exchange<Event> {
  readonly endpoint: Endpoint
  readonly signal: AbortSignal
  /** Sends the request and gives the events of its answer. */
  readonly send: (key: string | null) => Promise<AsyncIterable<Event>>
}

/**
 * One request and the events of its answer, as they come: the same course for every provider. Throws a
 * `ModelError`, or `signal.reason` as soon as the signal is aborted, even if `fetch` or the body ignore it. A server
 * that keeps failing gets a pause.
 */
export async function* exchange<Event>({
  endpoint,
  signal,
  send,
}: Exchange<Event>): AsyncGenerator<Event, void, undefined> {
  signal.throwIfAborted()
  const { breakerFor, target, readKey } = endpoint
  const key = await untilAborted(readKey(), signal)
  const { answered, leave } = await breakerFor(key).enter(target.host, signal)
  let outcome: Outcome = 'stopped'
  let retryAfterMs: number | undefined
  let events: AsyncIterator<Event> | undefined
  try {
    events = (await untilAborted(send(key), signal))[Symbol.asyncIterator]()
    while (true) {
      const step = await untilAborted(events.next(), signal)
      if (outcome === 'stopped') answered()
      outcome = 'answered'
      if (step.done) return
      yield step.value
    }
  } catch (thrown) {
    if (signal.aborted) {
      // A timeout counts against the server; a stopped request does not.
      if (signal.reason === waitedTooLong && outcome === 'stopped') outcome = 'timeout'
      throw signal.reason
    }
    // What fetch throws is not kept as `cause`: it may quote headers, and so a key.
    const error = await untilAborted(toModelError(thrown, endpoint), signal)
    const { kind, status } = error.error
    // A request that was never sent says nothing about the server.
    const isUnsent = outcome === 'stopped' && kind === 'bad_request' && status === undefined
    if (!isUnsent) outcome = kind
    retryAfterMs = error.error.retryAfterMs
    throw error
  } finally {
    // Closes the connection. Not awaited: a body that hangs would hang this, too.
    events?.return?.().catch(() => undefined)
    leave(outcome, retryAfterMs)
  }
}

async function toModelError(thrown: unknown, endpoint: Endpoint): Promise<ModelError> {
  if (thrown instanceof ModelError) return thrown
  return thrown instanceof Failed ? diagnose(thrown.failure, endpoint) : cutOff(endpoint.target)
}
