import { BaseAnthropic } from '@anthropic-ai/sdk/client'
import { AnthropicError } from '@anthropic-ai/sdk/error'
import type {
  MessageCountTokensParams,
  MessageCreateParamsStreaming,
} from '@anthropic-ai/sdk/resources/messages/messages'
import { type Json, parseJson } from '../../internal/json.ts'
import { boundLines } from '../wire/bounded-lines.ts'
import { createEndpoint, type Endpoint, type EndpointOptions } from '../wire/endpoint.ts'
import { exchange } from '../wire/exchange.ts'
import { garbled, notAStream, unsendable } from '../wire/failures.ts'
import { stayHere } from '../wire/stay-here.ts'
import { explain } from './errors.ts'

/** How the Messages API is reached. */
export interface AnthropicConnectionOptions extends EndpointOptions {
  /** Where the Messages API is, without `/v1`; may be relative to the page. Default: Anthropic's own. */
  readonly baseURL?: string
}

export interface Connection {
  /** The SDK's client, for one request. Calls back for all that comes of the answer. */
  readonly client: (onBytes?: () => void) => BaseAnthropic
  readonly endpoint: Endpoint
}

/** Prepares the SDK's client so that it does one request, as told, and nothing else. */
export function connect(model: string, options: AnthropicConnectionOptions): Connection {
  const { apiKey, baseURL = 'https://api.anthropic.com', headers = {} } = options
  const endpoint = createEndpoint({ model, baseURL }, options)
  const send = options.fetch ?? ((input, init) => globalThis.fetch(input, init))
  const settings = {
    baseURL: endpoint.baseURL,
    // Without a key the SDK looks for credentials of its own. The null header takes the stand-in out again.
    apiKey: 'none',
    defaultHeaders: { ...(!apiKey && { authorization: null }), ...headers },
    dangerouslyAllowBrowser: true,
    // The runtime retries: it knows what was shown and what ran.
    maxRetries: 0,
    // The SDK's log quotes answers, and its tracing adds headers that a proxy may refuse.
    logLevel: 'off',
    openTelemetry: false,
    // A redirect would carry the conversation where nobody sent it.
    fetchOptions: { redirect: 'manual' },
  } as const
  return {
    endpoint,
    client: (onBytes) =>
      new BaseAnthropic({
        ...settings,
        fetch: async (input, init) =>
          boundLines(stayHere(await send(input, init), endpoint.target), onBytes),
      }),
  }
}

interface Question<Body> {
  readonly body: Body
  readonly signal: AbortSignal
  readonly onAlive?: (() => void) | undefined
}

/** Sends one request and gives the raw events of its answer, as they come: see `exchange`. */
export function openEvents(
  { client, endpoint }: Connection,
  { body, signal, onAlive }: Question<MessageCreateParamsStreaming>,
): AsyncGenerator<Json, void, undefined> {
  return exchange({
    endpoint,
    signal,
    explain: (error) => explain(error, endpoint),
    send: async (key) => {
      const options = { body, signal, stream: true, ...authorized(key) }
      const sent = client(onAlive).post<AsyncIterable<Json>>('/v1/messages', options).withResponse()
      const { data, response } = await sent.catch(rejectUnsent)
      return checked(data, response.headers.get('content-type'), endpoint)
    },
  })
}

/** Asks how many tokens a request has, and gives what came back. */
export function openCount(
  { client, endpoint }: Connection,
  { body, signal }: Question<MessageCountTokensParams>,
): AsyncGenerator<Json, void, undefined> {
  return exchange({
    endpoint,
    signal,
    explain: (error) => explain(error, endpoint),
    send: async (key) => {
      const options = { body, signal, ...authorized(key) }
      const sent = client().post('/v1/messages/count_tokens', options).asResponse()
      // The SDK would read the body, too, and what fails there has been sent.
      const response = await sent.catch(rejectUnsent)
      return once(readWhole(await response.text()))
    },
  })
}

function readWhole(text: string): Json {
  try {
    return parseJson(text)
  } catch {
    throw garbled('it is not JSON')
  }
}

async function* once(value: Json): AsyncGenerator<Json, void, undefined> {
  yield value
}

function authorized(key: string | null): { readonly headers?: { readonly authorization: string } } {
  return key === null ? {} : { headers: { authorization: `Bearer ${key}` } }
}

/** Something else than an event stream has no events: a login page, the page of a proxy. */
async function* checked(
  events: AsyncIterable<Json>,
  contentType: string | null,
  { target }: Endpoint,
): AsyncGenerator<Json, void, undefined> {
  let isEmpty = true
  for await (const event of events) {
    isEmpty = false
    yield event
  }
  if (isEmpty && !contentType?.startsWith('text/event-stream')) {
    throw notAStream(target, contentType ?? 'nothing')
  }
}

/** Before the request is out, only the SDK's own errors are about the server. */
function rejectUnsent(error: unknown): never {
  throw error instanceof AnthropicError ? error : unsendable()
}
