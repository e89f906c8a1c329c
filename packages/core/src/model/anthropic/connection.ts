import { isJsonObject, type JsonObject } from '../../internal/json.ts'
import { createEndpoint, type EndpointOptions } from '../http/endpoint.ts'
import { exchange } from '../http/exchange.ts'
import type { Target } from '../http/failures.ts'
import { post } from '../http/post.ts'
import {
  type EventReading,
  parseEvent,
  readEvents,
  valueIn,
  withoutError,
} from '../http/read-events.ts'
import type { StreamOptions } from '../port.ts'
import {
  type AnthropicClient,
  type AnthropicClientCall,
  type AnthropicClientResponse,
  responseOf,
  secretsOf,
} from './client.ts'
import { hasFinished } from './stream.ts'

/** How the Messages API is reached. */
export interface AnthropicConnectionOptions extends EndpointOptions {
  /** Where the Messages API is, without `/v1`; may be relative to the page. Default: Anthropic's own. */
  readonly baseURL?: string
  /**
   * The vendor's own client, for instance that for Bedrock or Vertex, which then has the key and the address. Its
   * retries are turned off: an agent has its own. Texts of a server are shown without keys: those in a field of the
   * client, and whatever looks like one of the vendors' keys.
   */
  readonly client?: AnthropicClient
}

/** Sends requests and gives what comes back, as it comes: see `exchange`. */
export interface Connection {
  readonly target: Target
  /** The raw events of one answer. */
  readonly ask: (body: object, options: StreamOptions) => AsyncIterable<JsonObject>
  /** What the API says about the tokens of a request. */
  readonly count: (body: object, options: StreamOptions) => AsyncIterable<JsonObject>
}

/** The headers without which the API refuses a page. The user's headers may remove them again. */
const headers = {
  'anthropic-version': '2023-06-01',
  'anthropic-dangerous-direct-browser-access': 'true',
}

const streamed: Reading = {
  read: ({ event, data }) => {
    if (event === 'ping' || data === '') return null
    if (event !== undefined) return withoutError(parseEvent(data))
    // The API names all events. One without a name is skipped, unless it reports an error of a server in between.
    const said = valueIn(data)
    if (isJsonObject(said)) withoutError(said)
    return null
  },
  // Answers always stream, but an error may come as a whole.
  readWhole: (answer) => {
    withoutError(answer)
    return null
  },
  isEnd: hasFinished,
}

const whole: Reading = { read: () => null, readWhole: (answer) => answer }

type Reading = Pick<EventReading, 'read' | 'readWhole' | 'isEnd'>

export function connect(model: string, options: AnthropicConnectionOptions): Connection {
  const { client, baseURL = client?.baseURL ?? 'https://api.anthropic.com' } = options
  const place = { model, baseURL, ...(client && { secrets: () => secretsOf(client) }) }
  const endpoint = createEndpoint(place, options)
  const { target } = endpoint
  const open = (path: string, call: ClientCall, reading: Reading): Connection['ask'] => {
    return (body, { signal, onAlive }) =>
      exchange({
        endpoint,
        signal,
        send: async (key) => {
          const response = client
            ? await responseOf(() => call(client, body, { signal, maxRetries: 0 }), endpoint)
            : await post(endpoint, options, { path, body, key, signal, headers })
          return readEvents(response, { signal, onAlive, ...reading })
        },
      })
  }
  return {
    target,
    ask: open('/v1/messages', ({ messages }, ...call) => messages.create(...call), streamed),
    count: open(
      '/v1/messages/count_tokens',
      ({ messages }, ...call) => messages.countTokens?.(...call),
      whole,
    ),
  }
}

type ClientCall = (
  client: AnthropicClient,
  body: object,
  options: AnthropicClientCall,
) => AnthropicClientResponse | undefined
