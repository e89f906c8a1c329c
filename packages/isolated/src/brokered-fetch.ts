import { BrokerError } from './broker-error.ts'
import { type BrokeredResponse, type BrokerRequest, readBrokerAnswer } from './broker-protocol.ts'
import { messageOf } from './message-of.ts'
import { brokerKey } from './worker-script.ts'

/** The options of `fetch` that count here. The page decides about all others. */
export type BrokeredFetchOptions = Pick<RequestInit, 'method' | 'headers' | 'body' | 'signal'>

/**
 * As `fetch`, for a tool in the isolated place, which has no network of its own: the page asks, if the address is
 * among the `network.origins` of `inIsolation`. Without credentials, without redirects, and within the limits given
 * there; the answer arrives as a whole. A request that is still open is aborted when the call is stopped.
 *
 * Rejects with a `BrokerError`, whose `code` says why, and with `signal.reason` after an abort of yours.
 *
 * @example
 * ```ts
 * implement(getWeather, async ({ city }, { signal }) => {
 *   const url = new URL('https://api.example.com/weather')
 *   url.searchParams.set('city', city)
 *   return (await brokeredFetch(url, { signal })).json()
 * })
 * ```
 */
export async function brokeredFetch(
  url: string | URL,
  options: BrokeredFetchOptions = {},
): Promise<Response> {
  const line = theLine()
  // Reads the options as fetch does. The page judges the real address.
  const asked = new Request('https://none.invalid', options)
  const { method, headers, signal } = asked
  // Firefox does not offer the body of a request, but can read it.
  const bytes = options.body == null ? undefined : await asked.arrayBuffer()
  signal.throwIfAborted()
  const request = { url: String(url), method, headers: [...headers], ...(bytes && { body: bytes }) }
  return toResponse(await line.ask(request, signal))
}

type Asked = Extract<BrokerRequest, { readonly type: 'fetch' }>['request']

interface Line {
  readonly ask: (request: Asked, signal: AbortSignal) => Promise<BrokeredResponse>
}

let line: Line | undefined

/** A worker has one port, so it has one line to the broker. */
function theLine(): Line {
  if (line) return line
  const port: unknown = Reflect.get(globalThis, Symbol.for(brokerKey))
  if (!(port instanceof MessagePort)) {
    throw new BrokerError(
      'no_network',
      'There is no network here. Declare it: inIsolation(tools, source, { network: { origins: […] } }).',
    )
  }
  line = openLine(port)
  return line
}

interface Waiting {
  readonly resolve: (response: BrokeredResponse) => void
  readonly reject: (error: unknown) => void
}

function openLine(port: MessagePort): Line {
  const waiting = new Map<number, Waiting>()
  let last = 0

  port.onmessage = ({ data }) => {
    const answer = readBrokerAnswer(data)
    const one = answer && waiting.get(answer.id)
    if (!one) return
    waiting.delete(answer.id)
    if (answer.type === 'answered') one.resolve(answer.response)
    else one.reject(new BrokerError(answer.code, answer.message))
  }
  const post = (message: BrokerRequest, transfer: ArrayBuffer[] = []) =>
    port.postMessage(message, transfer)

  return {
    ask: (request, signal) =>
      new Promise((resolve, reject) => {
        const id = ++last
        waiting.set(id, { resolve, reject })
        signal.addEventListener('abort', () => {
          reject(signal.reason)
          if (waiting.delete(id)) post({ type: 'abort', id })
        })
        post({ type: 'fetch', id, request }, request.body ? [request.body] : [])
      }),
  }
}

/** Answers of these kinds must not have a body, not even an empty one. */
const bodiless = [204, 205, 304]

/**
 * The answer of a server as a `Response`. Throws a `BrokerError` for one that no `Response` can hold, such as one with
 * status 700.
 */
function toResponse({ status, statusText, headers, body }: BrokeredResponse): Response {
  try {
    return new Response(bodiless.includes(status) ? null : body, {
      status,
      statusText,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
    })
  } catch (error) {
    throw new BrokerError(
      'failed',
      `The answer, of status ${status}, cannot be read: ${messageOf(error)}`,
    )
  }
}
