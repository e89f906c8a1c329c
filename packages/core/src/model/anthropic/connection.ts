import type {
  MessageCountTokensParams,
  MessageCreateParamsStreaming,
} from '@anthropic-ai/sdk/resources/messages/messages'
import type { JsonObject } from '../../internal/json.ts'
import { createEndpoint, type EndpointOptions } from '../http/endpoint.ts'
import { exchange } from '../http/exchange.ts'
import type { Target } from '../http/failures.ts'
import { post } from '../http/post.ts'
import { type EventReading, parseEvent, readEvents } from '../http/read-events.ts'
import type { StreamOptions } from '../port.ts'

/** How the Messages API is reached. */
export interface AnthropicConnectionOptions extends EndpointOptions {
  /** Where the Messages API is, without `/v1`; may be relative to the page. Default: Anthropic's own. */
  readonly baseURL?: string
}

/** Sends requests and gives what comes back, as it comes: see `exchange`. */
export interface Connection {
  readonly target: Target
  /** The raw events of one answer. */
  readonly ask: (
    body: MessageCreateParamsStreaming,
    options: StreamOptions,
  ) => AsyncIterable<JsonObject>
  /** What the API says about the tokens of a request. */
  readonly count: (
    body: MessageCountTokensParams,
    options: StreamOptions,
  ) => AsyncIterable<JsonObject>
}

/** What a page needs to be let in. The user's headers may take it out again. */
const headers = {
  'anthropic-version': '2023-06-01',
  'anthropic-dangerous-direct-browser-access': 'true',
}

type Reading = Pick<EventReading<JsonObject>, 'read' | 'readWhole'>

// An event without a name is none of the API's.
const streamed: Reading = {
  read: ({ event, data }) =>
    event === undefined || event === 'ping' || data === '' ? null : parseEvent(data),
}

const whole: Reading = { read: () => null, readWhole: (answer) => answer }

export function connect(model: string, options: AnthropicConnectionOptions): Connection {
  const { baseURL = 'https://api.anthropic.com' } = options
  const endpoint = createEndpoint({ model, baseURL }, options)
  const { target } = endpoint
  const send = (path: string, reading: Reading) => {
    return (body: unknown, { signal, onAlive }: StreamOptions): AsyncIterable<JsonObject> =>
      exchange({
        endpoint,
        signal,
        send: async (key) => {
          const response = await post(endpoint, options, { path, body, key, signal, headers })
          return readEvents(response, { target, onAlive, ...reading })
        },
      })
  }
  return {
    target,
    ask: send('/v1/messages', streamed),
    count: send('/v1/messages/count_tokens', whole),
  }
}
