import { BaseAnthropic } from '@anthropic-ai/sdk/client'
import { AnthropicError } from '@anthropic-ai/sdk/error'
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages/messages'
import { boundLines } from '../wire/bounded-lines.ts'
import { createEndpoint, type Endpoint, type EndpointOptions } from '../wire/endpoint.ts'
import { exchange } from '../wire/exchange.ts'
import { notAStream, unsendable } from '../wire/failures.ts'
import { explain } from './errors.ts'

/** How the Messages API is reached. */
export interface AnthropicConnectionOptions extends EndpointOptions {
  /** The model's id, for instance `claude-opus-5-5`. */
  readonly model: string
  /** Where the Messages API is, without `/v1`; may be relative to the page. Default: Anthropic's own. */
  readonly baseURL?: string
}

export interface Connection {
  readonly client: BaseAnthropic
  readonly endpoint: Endpoint
}

/** Prepares the SDK's client so that it does one request at a time, as told, and nothing else. */
export function connect(options: AnthropicConnectionOptions): Connection {
  const { model, apiKey, baseURL = 'https://api.anthropic.com', headers = {} } = options
  const endpoint = createEndpoint({ model, baseURL }, options)
  const send = options.fetch ?? ((input, init) => globalThis.fetch(input, init))
  const client = new BaseAnthropic({
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
    fetchOptions: { redirect: 'error' },
    fetch: async (input, init) => boundLines(await send(input, init)),
  })
  return { client, endpoint }
}

interface Question {
  readonly body: MessageCreateParamsStreaming
  readonly signal: AbortSignal
}

/** Sends one request and gives the raw events of its answer, as they come: see `exchange`. */
export function openEvents(
  { client, endpoint }: Connection,
  { body, signal }: Question,
): AsyncGenerator<unknown, void, undefined> {
  return exchange({
    endpoint,
    signal,
    explain: (error) => explain(error, endpoint),
    send: async (key) => {
      const options = {
        body,
        signal,
        stream: true,
        ...(key !== null && { headers: { authorization: `Bearer ${key}` } }),
      }
      const sent = client.post<AsyncIterable<unknown>>('/v1/messages', options).withResponse()
      const { data, response } = await sent.catch(rejectUnsent)
      return checked(data, response.headers.get('content-type'), endpoint)
    },
  })
}

/** Something else than an event stream has no events: a login page, the page of a proxy. */
async function* checked(
  events: AsyncIterable<unknown>,
  contentType: string | null,
  { target }: Endpoint,
): AsyncGenerator<unknown, void, undefined> {
  let isEmpty = true
  for await (const event of events) {
    isEmpty = false
    yield event
  }
  if (isEmpty && contentType && !contentType.startsWith('text/event-stream')) {
    throw notAStream(target, contentType)
  }
}

/** Before the request is out, only the SDK's own errors are about the server. */
function rejectUnsent(error: unknown): never {
  throw error instanceof AnthropicError ? error : unsendable()
}
