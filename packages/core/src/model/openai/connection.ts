import type { JsonObject } from '../../internal/json.ts'
import { isBlank } from '../format/sendable.ts'
import { createEndpoint, type EndpointOptions } from '../http/endpoint.ts'
import { exchange } from '../http/exchange.ts'
import type { Target } from '../http/failures.ts'
import { post } from '../http/post.ts'
import { parseEvent, readEvents } from '../http/read-events.ts'
import type { StreamOptions } from '../port.ts'
import { firstChoice, hasFinished, withoutFailure } from './events.ts'

/** How a Chat Completions API is reached. */
export interface OpenAIConnectionOptions extends EndpointOptions {
  /** The model's id, for instance `gpt-5.5`. */
  readonly model: string
  /** Where the API is, with `/v1`; may be relative to the page. Default: OpenAI's own. */
  readonly baseURL?: string
}

/** The fields of a request. */
export type RequestBody = { readonly [key: string]: unknown }

/** Sends requests and gives the events of their answers, as they come: see `exchange`. */
export interface Connection {
  readonly target: Target
  readonly ask: (body: RequestBody, options: StreamOptions) => AsyncIterable<JsonObject>
}

export function connect(options: OpenAIConnectionOptions): Connection {
  const { model, baseURL = 'https://api.openai.com/v1' } = options
  const endpoint = createEndpoint({ model, baseURL }, options)
  const { target } = endpoint
  return {
    target,
    ask: (body, { signal, onAlive }) =>
      exchange({
        endpoint,
        signal,
        send: async (key) => {
          const request = { path: '/chat/completions', body, key, signal }
          return readEvents(await post(endpoint, options, request), {
            signal,
            onAlive,
            mayEndOpen: true,
            read: ({ data }) => (isBlank(data) ? null : withoutFailure(parseEvent(data))),
            readWhole: (answer) => (firstChoice(withoutFailure(answer)) ? answer : null),
            isEnd: hasFinished,
          })
        },
      }),
  }
}
