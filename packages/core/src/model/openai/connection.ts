import { boundEvents } from '../http/bounded-events.ts'
import { createEndpoint, type Endpoint, type EndpointOptions } from '../http/endpoint.ts'
import { exchange } from '../http/exchange.ts'
import type { Fields } from '../http/fields.ts'
import { post } from '../http/post.ts'
import { eventsIn } from './answer-body.ts'

/** How a Chat Completions API is reached. */
export interface OpenAIConnectionOptions extends EndpointOptions {
  /** The model's id, for instance `gpt-5.5`. */
  readonly model: string
  /** Where the API is, with `/v1`; may be relative to the page. Default: OpenAI's own. */
  readonly baseURL?: string
}

export interface Connection {
  readonly endpoint: Endpoint
  readonly options: OpenAIConnectionOptions
}

export function connect(options: OpenAIConnectionOptions): Connection {
  const { model, baseURL = 'https://api.openai.com/v1' } = options
  return { endpoint: createEndpoint({ model, baseURL }, options), options }
}

interface Question {
  readonly body: Fields
  readonly signal: AbortSignal
  readonly onAlive: (() => void) | undefined
}

/** Sends one request and gives the events of its answer, as they come: see `exchange`. */
export function openEvents(
  { endpoint, options }: Connection,
  { body, signal, onAlive }: Question,
): AsyncGenerator<Fields, void, undefined> {
  const { target } = endpoint
  return exchange({
    endpoint,
    signal,
    send: async (key) => {
      const request = { path: '/chat/completions', body, key, signal }
      const response = await post(endpoint, options, request)
      return eventsIn(boundEvents(response, onAlive), target)
    },
  })
}
