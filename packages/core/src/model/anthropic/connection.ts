import type {
  MessageCountTokensParams,
  MessageCreateParamsStreaming,
} from '@anthropic-ai/sdk/resources/messages/messages'
import { Stream } from '@anthropic-ai/sdk/streaming'
import type { Json } from '../../internal/json.ts'
import { boundEvents } from '../http/bounded-events.ts'
import { createEndpoint, type Endpoint, type EndpointOptions } from '../http/endpoint.ts'
import { exchange } from '../http/exchange.ts'
import { garbled, notAStream, refused } from '../http/failures.ts'
import { post } from '../http/post.ts'
import { readRefusal, tryJson } from '../http/refusal.ts'
import type { Target } from '../http/target.ts'
import { textsIn } from '../http/texts-in.ts'

/** How the Messages API is reached. */
export interface AnthropicConnectionOptions extends EndpointOptions {
  /** Where the Messages API is, without `/v1`; may be relative to the page. Default: Anthropic's own. */
  readonly baseURL?: string
}

export interface Connection {
  readonly endpoint: Endpoint
  readonly options: AnthropicConnectionOptions
}

export function connect(model: string, options: AnthropicConnectionOptions): Connection {
  const { baseURL = 'https://api.anthropic.com' } = options
  return { endpoint: createEndpoint({ model, baseURL }, options), options }
}

interface Question<Body> {
  readonly body: Body
  readonly signal: AbortSignal
  readonly onAlive?: (() => void) | undefined
}

/** Sends one request and gives the raw events of its answer, as they come: see `exchange`. */
export function openEvents(
  connection: Connection,
  { onAlive, ...question }: Question<MessageCreateParamsStreaming>,
): AsyncGenerator<Json, void, undefined> {
  const { target } = connection.endpoint
  return ask(connection, { path: '/v1/messages', ...question }, (response) =>
    eventsIn(boundEvents(response, onAlive), target),
  )
}

/** Asks how many tokens a request has, and gives what came back. */
export function openCount(
  connection: Connection,
  question: Question<MessageCountTokensParams>,
): AsyncGenerator<Json, void, undefined> {
  return ask(connection, { path: '/v1/messages/count_tokens', ...question }, wholeIn)
}

/** What a page needs to be let in. The user's headers may take it out again. */
const headers = {
  'anthropic-version': '2023-06-01',
  'anthropic-dangerous-direct-browser-access': 'true',
}

function ask(
  { endpoint, options }: Connection,
  request: Question<unknown> & { readonly path: string },
  read: (response: Response) => AsyncIterable<Json>,
): AsyncGenerator<Json, void, undefined> {
  return exchange({
    endpoint,
    signal: request.signal,
    send: async (key) => read(await post(endpoint, options, { ...request, key, headers })),
  })
}

/** Something else than an event stream has no events: a login page, the page of a proxy. */
async function* eventsIn(
  response: Response,
  target: Target,
): AsyncGenerator<Json, void, undefined> {
  const contentType = response.headers.get('content-type') ?? 'nothing'
  let isEmpty = true
  // The vendor's reader takes a missing body for a mistake of ours.
  for await (const { event, data } of response.body ? Stream.rawEvents(response) : []) {
    if (event === null || event === 'ping' || data === '') continue
    if (event === 'error') throw refused(readRefusal(data, response.headers), target)
    isEmpty = false
    yield readJson(data, 'an event is not JSON')
  }
  if (isEmpty && !contentType.startsWith('text/event-stream')) throw notAStream(target, contentType)
}

/** Characters of an answer that comes whole: all of it is held at once. */
const longest = 64 * 1024

async function* wholeIn(response: Response): AsyncGenerator<Json, void, undefined> {
  let text = ''
  for await (const piece of textsIn(response)) {
    text += piece
    if (text.length > longest) throw garbled('it does not end')
  }
  yield readJson(text, 'it is not JSON')
}

function readJson(text: string, problem: string): Json {
  const value = tryJson(text)
  if (value === undefined) throw garbled(problem)
  return value
}
